/**
 * The baseline: sends signed POSTs over a number of connections, in its own process, as fast as a receiver on this machine
 * can take them. Arguments: URL, count, connections, body. Prints the milliseconds it took.
 */
import { Agent, request } from 'node:http';
import { signatureHeader } from '../../../lib/webhooks/transport/signature.ts';

const [url = '', count = '0', connections = '1', text = '{}'] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });
const body = Buffer.from(text);

function post(): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': body.length,
      'x-service-signature': signatureHeader(body, Math.floor(Date.now() / 1_000), [
        `whsec_${'a'.repeat(40)}`,
      ]),
    };
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume().once('end', resolve);
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

let left = Number(count);
const begunMs = performance.now();
await Promise.all(
  Array.from({ length: Number(connections) }, async () => {
    while (left > 0) {
      left -= 1;
      await post();
    }
  }),
);
console.log(performance.now() - begunMs);
agent.destroy();
