import { expect, it } from 'vitest';
import { type ContinuedMessage, continuing, mostSends } from '../../../lib/kernel/continued-messages.ts';

it('a chain of messages ends before Lambda takes it for an endless loop', async () => {
  const queue: ContinuedMessage[] = [{}];
  let invocations = 0;
  for (let received = queue.shift(); received !== undefined; received = queue.shift()) {
    invocations += 1;
    await continuing<ContinuedMessage>(received, async (message) => void queue.push(message))({}, 1);
  }
  expect(invocations).toBe(mostSends + 1);
  expect(invocations).toBeLessThan(16);
});

it('messages that one worker sends side by side count as one', async () => {
  const sent: [ContinuedMessage & { readonly name: string }, number][] = [];
  const send = continuing<ContinuedMessage & { readonly name: string }>({ sends: 3 }, async (...message) => {
    sent.push(message);
  });
  await send({ name: 'takeover' }, 15);
  await send({ name: 'next', sends: 99 }, 0);
  expect(sent).toEqual([
    [{ name: 'takeover', sends: 4 }, 15],
    [{ name: 'next', sends: 4 }, 0],
  ]);
});
