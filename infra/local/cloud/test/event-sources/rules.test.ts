import { describe, expect, it } from 'vitest';
import { createMovableClock } from '../../clock.ts';
import { startRule } from '../../event-sources/rules.ts';
import { broken, createSurroundings, functionArn, handled, queueArn } from './fakes.ts';

const rule = {
  name: 'sweep',
  arn: 'arn:aws:events:us-east-1:000000000000:rule/sweep',
  everySeconds: 300,
  targets: [{ arn: functionArn }],
};

function start(targets = rule.targets as readonly { arn: string; input?: string }[], outcome = handled) {
  const clock = createMovableClock({ realNow: () => Date.UTC(2026, 0, 1) });
  const events: unknown[] = [];
  const cloud = createSurroundings(() => handled);
  const source = startRule(
    { ...rule, targets },
    {
      ...cloud.surroundings,
      clock,
      invoke: async (_, event) => {
        events.push(event);
        return outcome;
      },
    },
  );
  return { ...cloud, clock, events, source };
}

describe('a rule', () => {
  it('fires after each interval, not before', async () => {
    const { clock, events, source } = start();
    clock.advance(299_999);
    await new Promise((settle) => setTimeout(settle, 5));
    expect(events).toEqual([]);
    clock.advance(1);
    await expect
      .poll(() => events)
      .toEqual([
        expect.objectContaining({
          'detail-type': 'Scheduled Event',
          source: 'aws.events',
          account: '000000000000',
          time: '2026-01-01T00:05:00Z',
          resources: [rule.arn],
        }),
      ]);
    clock.advance(300_000);
    await expect.poll(() => events.length).toBe(2);
    await source.stop();
  });

  it('passes its own input to a function and to a queue', async () => {
    const input = '{"task":"sweep"}';
    const { clock, events, sent, source } = start([
      { arn: functionArn, input },
      { arn: queueArn, input },
    ]);
    clock.advance(300_000);
    await expect.poll(() => events).toEqual([{ task: 'sweep' }]);
    expect(sent).toEqual([{ queueArn, body: input }]);
    await source.stop();
  });

  it('logs a failed invocation, and fires again', async () => {
    const { clock, events, logged, source } = start(rule.targets, broken);
    clock.advance(300_000);
    await expect.poll(() => logged).toEqual(['rule sweep: Error: broken']);
    clock.advance(300_000);
    await expect.poll(() => events.length).toBe(2);
    await source.stop();
  });

  it('does not fire after it was stopped', async () => {
    const { clock, events, source } = start();
    await source.stop();
    clock.advance(300_000);
    await new Promise((settle) => setTimeout(settle, 5));
    expect(events).toEqual([]);
  });
});
