import { expect, it } from 'vitest';
import { minuteMs } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { resendDueDeliveries } from '../../../lib/webhooks/deliveries/resend-due.ts';
import type { WebhookMessage } from '../../../lib/webhooks/schemas.ts';
import { startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { storeDelivery } from '../../support/webhooks.ts';

it('sends a message that the queue refused again in the next sweep, and one that it accepted not for 15 minutes', async () => {
  const table = await createTestTable();
  const endpoint = { workspaceId: newId(startMs), id: newId(startMs) };
  const { id } = await storeDelivery(table, endpoint, { atMs: startMs });
  let isRefused = true;
  const sweepAt = async (minutes: number) => {
    const sent: WebhookMessage[] = [];
    const sendAll = async (messages: readonly WebhookMessage[]) => {
      if (isRefused) return new Set(messages);
      sent.push(...messages);
      return new Set<WebhookMessage>();
    };
    const report = (_key: object, error: unknown) => expect.fail(String(error));
    const nowMs = startMs + minutes * minuteMs;
    await resendDueDeliveries({ table, now: () => nowMs, sendAll, report }, nowMs + minuteMs);
    return sent.map(({ deliveryId }) => deliveryId);
  };

  expect(await sweepAt(5)).toEqual([]);
  isRefused = false;
  expect(await sweepAt(7)).toEqual([id]);
  expect(await sweepAt(20)).toEqual([]);
  expect(await sweepAt(23.1)).toEqual([id]);
});
