# Two stages: compile with Swift's own image, run on a slim Debian with just the libraries needed.
# `make debian-folder` tries every line of this file without an engine.

FROM swift:6.3-bookworm AS build
WORKDIR /samelist
COPY tools/setup tools/packages tools/
RUN tools/setup build
COPY Package.swift ./
COPY Sources Sources
COPY clients clients
COPY Benchmarks Benchmarks
COPY Examples Examples
COPY Tests Tests
RUN swift build -c release --static-swift-stdlib --product samelistd && \
    swift build -c release --static-swift-stdlib --product samelist && \
    swift build -c release --static-swift-stdlib --product samelist-load && \
    mkdir programs && \
    cp -L .build/release/samelistd .build/release/samelist .build/release/samelist-load programs/

FROM debian:bookworm-slim
COPY tools/setup tools/packages /tmp/setup/tools/
RUN /tmp/setup/tools/setup run && \
    rm -rf /tmp/setup /var/lib/apt/lists/* && \
    useradd --uid 7420 --no-create-home --shell /usr/sbin/nologin samelist && \
    install -d -o samelist -g samelist -m 0700 /var/lib/samelist
COPY --from=build /samelist/programs/ /usr/local/bin/
COPY tools/ready /usr/local/bin/samelist-ready
USER samelist
VOLUME /var/lib/samelist
EXPOSE 7420
HEALTHCHECK --interval=10s --timeout=6s --start-period=60s --retries=3 CMD ["samelist-ready"]
ENTRYPOINT ["samelistd"]
CMD ["serve", "--data", "/var/lib/samelist"]
