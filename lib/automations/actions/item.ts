import * as z from 'zod';
import { secondMs, toTimestamp } from '../../kernel/clock.ts';
import type { CallRecord } from '../../platforms/contract/last-call.ts';
import { AutomationAction } from '../schemas.ts';
import { tokenOf } from './call-records.ts';

/** Attributes in which an earlier release stored the latest call. They are removed when call records are stored. */
export const formerCallFields = { intentAt: null, refusal: null, questions: null };

/** An action, as stored. */
export const StoredAction = z.preprocess(withCallRecords, AutomationAction);

export function actionFromItem(item: Record<string, unknown>): AutomationAction {
  return StoredAction.parse(item);
}

/** The longest call of an earlier release and its start: 20 and 60 seconds. */
const formerCallMs = 80 * secondMs;

/** Reads the call records. An earlier release stored only the latest intent, as `intentAt`. */
function withCallRecords(item: unknown): unknown {
  const { calls, intentAt, refusal, content, state } = item as Record<string, unknown>;
  if (intentAt === undefined) return item;
  const former: CallRecord = {
    intentAt: String(intentAt),
    token: tokenOf(String(content)),
    endedAt: toTimestamp(Date.parse(String(intentAt)) + formerCallMs),
    outcome: state === 'unknown' ? 'unknown' : 'open',
    ...(refusal !== undefined && { refusal: String(refusal) }),
    lookups: 0,
    misses: 0,
  };
  // There are other records if, during a deployment, the earlier release continued an action of this release.
  return { ...(item as object), calls: [...((calls as CallRecord[] | undefined) ?? []), former] };
}
