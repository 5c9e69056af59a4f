/// What a shell reads once in order to complete `samelist`. Each asks the program itself for every
/// word, so that there is one table.
enum CompletionScript: String, CaseIterable {
    case bash
    case zsh
    case fish

    var text: String {
        switch self {
        case .bash: Self.bashText
        case .zsh: Self.zshText
        case .fish: Self.fishText
        }
    }

    /// bash takes words apart at `:` and `=` and replaces only the part behind them. Of a word in a
    /// quote that is open it replaces what is behind that, and closes it itself.
    private static let bashText = #"""
        # samelist completion bash: eval "$(samelist completion bash)" in ~/.bashrc
        _samelist() {
            local line=${COMP_LINE:0:COMP_POINT} words found item word=$2 quote=
            COMPREPLY=()
            read -ra words <<<"$line"
            [[ $line == *[[:space:]] ]] && words+=("")
            local typed=${words[${#words[@]}-1]}
            if [[ $typed == [\'\"]* ]]; then
                quote=${typed:0:1}
                typed=${typed:1}
                words[${#words[@]}-1]=$typed
            fi
            mapfile -t found < <(
                "$1" completion words -- "${words[@]:1}" 2>/dev/null </dev/null)
            if [[ ${found[0]-} == :files ]]; then
                mapfile -t COMPREPLY < <(compgen -f -- "$word")
                compopt -o filenames 2>/dev/null
                return
            fi
            for item in "${found[@]}"; do
                item=${item%%$'\t'*}
                if [[ $word != "$typed" && $typed == *"$word" ]]; then
                    item=${item:${#typed}-${#word}}
                fi
                case $quote in
                \') [[ $item == *\'* ]] && continue ;;
                \") item=${item//\\/\\\\} item=${item//\$/\\\$}
                    item=${item//\`/\\\`} item=${item//\"/\\\"} ;;
                *) printf -v item %q "$item" ;;
                esac
                COMPREPLY+=("$item")
            done
        }
        complete -F _samelist samelist

        """#

    private static let zshText = #"""
        #compdef samelist
        # samelist completion zsh: eval "$(samelist completion zsh)" in ~/.zshrc, behind compinit;
        # or this text in a file _samelist in a folder of $fpath.
        _samelist() {
            local -a lines texts shown
            local line
            lines=("${(@f)$("${words[1]}" completion words -- \
                "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null </dev/null)}")
            if [[ ${lines[1]} == :files ]]; then
                _files
                return
            fi
            for line in "${lines[@]}"; do
                [[ -n $line ]] || continue
                texts+=("${line%%$'\t'*}")
                if [[ $line == *$'\t'* ]]; then
                    shown+=("${line%%$'\t'*}  -- ${line#*$'\t'}")
                else
                    shown+=("$line")
                fi
            done
            (( $#texts )) && compadd -V samelist -l -d shown -a texts
        }
        if [[ ${funcstack[1]-} == _samelist ]]; then
            _samelist "$@"
        else
            compdef _samelist samelist
        fi

        """#

    private static let fishText = #"""
        # samelist completion fish: samelist completion fish | source, in config.fish
        function __samelist_words
            set -l line (commandline -opc)
            set -l typed (commandline -ct)
            set -l found ($line[1] completion words -- $line[2..] "$typed" 2>/dev/null </dev/null)
            if test "$found[1]" = :files
                __fish_complete_path "$typed"
            else
                printf '%s\n' $found
            end
        end
        complete -c samelist -f -k -a '(__samelist_words)'

        """#
}
