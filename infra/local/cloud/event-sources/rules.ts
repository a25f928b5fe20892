/** EventBridge rules of the form `rate(...)`. */
import { randomUUID } from 'node:crypto';
import type { RuleResource } from '../model.ts';
import type { EventSource, SourceSurroundings } from './source.ts';

/**
 * Fires the rule's targets at every interval, the first time after one interval. If the clock is moved past several
 * intervals, the rule fires once. A failed invocation is logged and not retried.
 */
export function startRule(
  rule: RuleResource,
  { clock, region, queues, invoke, log }: SourceSurroundings,
): EventSource {
  const running = new Set<Promise<unknown>>();
  let cancelTimer = () => {};

  async function fire(target: RuleResource['targets'][number]): Promise<void> {
    const event =
      target.input === undefined ? scheduledEvent(rule, region, clock.now()) : JSON.parse(target.input);
    if (target.arn.startsWith('arn:aws:sqs:')) {
      queues.send({ queueArn: target.arn, body: target.input ?? JSON.stringify(event) });
      return;
    }
    const outcome = await invoke(target.arn, event);
    if (!outcome.ok) log(`rule ${rule.name}: ${outcome.error.errorType}: ${outcome.error.errorMessage}`);
  }

  function arm(): void {
    cancelTimer = clock.setTimer(clock.now() + rule.everySeconds * 1000, () => {
      arm();
      for (const target of rule.targets) {
        const firing = fire(target)
          .catch((error: Error) => log(`rule ${rule.name}: ${error.message}`))
          .finally(() => running.delete(firing));
        running.add(firing);
      }
    });
  }

  arm();
  return {
    async stop() {
      cancelTimer();
      await Promise.all(running);
    },
  };
}

function scheduledEvent(rule: RuleResource, region: string, now: number): object {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: rule.arn.split(':')[4],
    time: new Date(now).toISOString().replace(/\.\d+Z$/, 'Z'),
    region,
    resources: [rule.arn],
    detail: {},
  };
}
