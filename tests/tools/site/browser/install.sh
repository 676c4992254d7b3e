# Goes to `folder`, with the tests beside this file, the programs that they need, and the packages that drive the browser, which is
# Debian's chromium without its windows. The packages come from npm, in the versions of package-lock.json.
for program in node npm chromium-headless-shell; do
    command -v "$program" >/dev/null || {
        echo "site: there is no $program; Debian's packages are nodejs, npm and chromium-headless-shell" >&2
        exit 2
    }
done

mkdir -p "$folder"
cd "$folder"
cp "$here"/*.mjs "$here/package.json" .
if ! cmp -s "$here/package-lock.json" node_modules/installed-lock.json; then
    cp "$here/package-lock.json" .
    npm ci --ignore-scripts --no-audit --no-fund
    cp package-lock.json node_modules/installed-lock.json
fi
