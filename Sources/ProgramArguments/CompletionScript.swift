/// What a shell reads once in order to complete a program. Each asks the program itself for every
/// word, by `completion words -- WORD …`, so that there is one table.
package enum CompletionScript: String, CaseIterable, Sendable {
    case bash
    case zsh
    case fish

    package func text(for program: String) -> String {
        let text =
            switch self {
            case .bash: Self.bashText
            case .zsh: Self.zshText
            case .fish: Self.fishText
            }
        return text.replacing("PROGRAM", with: program)
    }

    /// bash takes words apart at `:` and `=` and replaces only the part behind them. Of a word in a
    /// quote that is open it replaces what is behind that, and closes it itself.
    private static let bashText = #"""
        # PROGRAM completion bash: eval "$(PROGRAM completion bash)" in ~/.bashrc
        _PROGRAM() {
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
        complete -F _PROGRAM PROGRAM

        """#

    private static let zshText = #"""
        #compdef PROGRAM
        # PROGRAM completion zsh: eval "$(PROGRAM completion zsh)" in ~/.zshrc, behind compinit;
        # or this text in a file _PROGRAM in a folder of $fpath.
        _PROGRAM() {
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
            (( $#texts )) && compadd -V PROGRAM -l -d shown -a texts
        }
        if [[ ${funcstack[1]-} == _PROGRAM ]]; then
            _PROGRAM "$@"
        else
            compdef _PROGRAM PROGRAM
        fi

        """#

    private static let fishText = #"""
        # PROGRAM completion fish: PROGRAM completion fish | source, in config.fish
        function __PROGRAM_words
            set -l line (commandline -opc)
            set -l typed (commandline -ct)
            set -l found ($line[1] completion words -- $line[2..] "$typed" 2>/dev/null </dev/null)
            if test "$found[1]" = :files
                __fish_complete_path "$typed"
            else
                printf '%s\n' $found
            end
        end
        complete -c PROGRAM -f -k -a '(__PROGRAM_words)'

        """#
}
