/** Imports one bundle in this fresh process and prints the time it took: `[wall, processor]` in milliseconds. */
const { pathToFileURL } = require('node:url');
// The Lambda runtime loads it before it imports a handler, so it must not count as the handler's time.
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
