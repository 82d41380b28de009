# The shell of a reader of the documents, on a machine where a first start serves already: `$PLACES/8080` has its address.
# A server that a page starts on another port gets a free one, and ends with the page.
set -euo pipefail
trap 'jobs -p | xargs --no-run-if-empty kill' EXIT

npm() {
  case "$*" in
    ci | test | start) ;;
    start\ --\ *)
      shift 2
      local log="$PLACES/${PORT:-8080}.log"
      PORT=0 command npm start -- "$@" >"$log" 2>&1 &
      until grep --quiet 'tigraph serves at' "$log"; do
        kill -0 $! || { cat "$log" && return 1; }
        sleep 0.1
      done
      sed -n 's/.*tigraph serves at //p' "$log" | tee "$PLACES/${PORT:-8080}"
      ;;
    *) command npm "$@" ;;
  esac
}

curl() {
  local word words=()
  for word in "$@"; do
    [[ $word =~ ^http://127\.0\.0\.1:([0-9]+)(.*)$ ]] && word="$(<"$PLACES/${BASH_REMATCH[1]}")${BASH_REMATCH[2]}"
    words+=("$word")
  done
  case " $* " in
    # A stream does not end: its first event does.
    *' -N '* | *' -sN '*) { command curl --silent --show-error "${words[@]}" || true; } | sed '/^$/q' ;;
    *) command curl --silent --show-error ${WANTED:---fail-with-body} "${words[@]}" ;;
  esac
}
