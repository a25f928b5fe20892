/**
 * In this fresh process: imports one bundle, sends it a first request, then more requests, first sequentially and then
 * concurrently. Prints the times it took.
 */
const { pathToFileURL } = require('node:url');
// The Lambda runtime loads it before it imports a handler, so it must not count as the handler's time.
require('node:http');

const [file, warmRequests] = process.argv.slice(2);
const event = {
  pathParameters: { code: 'benchbench12' },
  headers: {
    'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Safari/604.1',
  },
  requestContext: { requestId: 'bench', http: { method: 'GET' } },
};

const processorMs = (before) => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

async function measure() {
  const before = process.cpuUsage();
  const startedAt = performance.now();
  const { handler } = await import(pathToFileURL(file).href);
  const importMs = performance.now() - startedAt;
  const importProcessorMs = processorMs(before);
  const follow = async () => {
    const reply = await handler(event);
    if (reply !== undefined && reply.statusCode !== 302)
      throw new Error(`the redirect returned ${reply.statusCode}`);
  };
  await follow();
  const firstMs = performance.now() - startedAt;
  const firstProcessorMs = processorMs(before);
  const requests = Number(warmRequests);
  const warm = requests > 0 ? await measureWarm(follow, requests) : {};
  return { importMs, importProcessorMs, firstMs, firstProcessorMs, ...warm };
}

async function measureWarm(follow, requests) {
  // Warm up until V8 has optimized the code.
  for (let request = 0; request < requests / 2; request += 1) await follow();
  const before = process.cpuUsage();
  for (let request = 0; request < requests; request += 1) await follow();
  const warmProcessorMs = processorMs(before) / requests;
  const atOnce = 16;
  const startedAt = performance.now();
  const one = async () => {
    for (let request = 0; request < requests / atOnce; request += 1) await follow();
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  const perSecond = (requests * 1_000) / (performance.now() - startedAt);
  return { warmProcessorMs, perSecond };
}

measure().then((measured) => {
  console.log(JSON.stringify(measured));
  process.exit(0);
});
