#!/bin/bash
# build tests then run filter
/tmp/brief/hb /tmp/brief/in read swift build --build-tests --explicit-target-dependency-import-check error > /tmp/w/out/read-build.log 2>&1
rc=$?
grep -E "error:|warning: (var|un)" /tmp/w/out/read-build.log | sort -u | head -20
[ $rc = 0 ] || { tail -3 /tmp/w/out/read-build.log; exit 1; }
/tmp/brief/hb /tmp/brief/in read swift test --skip-build --filter "$1" > /tmp/w/out/read-test.log 2>&1
grep -E "✘|recorded an issue" /tmp/w/out/read-test.log | cut -c1-600 | head -${2:-30}
tail -2 /tmp/w/out/read-test.log; date
