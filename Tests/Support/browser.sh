# Decant: JSON decoding for Swift and C.
# SPDX-License-Identifier: MIT
#
# Static pages in headless Chromium, to be sourced after packages.sh, for scripts that have a `folder` of their own.
#
#   serve FOLDER              # sets `server` (http://localhost:PORT) until the script stops `server_process`
#   document_of URL           # the page's document, after its scripts have run

browser_packages='chromium python3'

serve() {
  local port log=$folder/server.log
  python3 -u -m http.server --bind 127.0.0.1 --directory "$1" 0 > "$log" 2>&1 &
  server_process=$!
  until port=$(sed -n 's/^Serving HTTP on .* port \([0-9]*\) .*/\1/p' "$log") && [ -n "$port" ]; do
    kill -0 $server_process || return
    sleep 0.1
  done
  server=http://127.0.0.1:$port
}

document_of() {
  local sandbox=
  [ "$(id -u)" != 0 ] || sandbox=--no-sandbox
  timeout 300 chromium --headless $sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$folder/chromium" \
    --virtual-time-budget="${patience:-10000}" --dump-dom "$1" 2> "$folder/chromium.log"
}
