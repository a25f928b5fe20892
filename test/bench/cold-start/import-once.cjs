/** Imports one bundle in this fresh process and prints what it took: `[wall, processor]` in milliseconds. */
const { pathToFileURL } = require('node:url');
// The Lambda runtime has loaded it before any handler is imported, so it is no part of a handler's cost.
require('node:http');

const bundle = pathToFileURL(process.argv[2]).href;
const processorBefore = process.cpuUsage();
const startedAt = performance.now();
import(bundle).then(() => {
  const wallMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(processorBefore);
  console.log(JSON.stringify([wallMs, (user + system) / 1_000]));
  process.exit(0);
});
