import { isId } from '../../kernel/ids.ts';

/** Which message of which conversation a tap answers. */
export interface Tap {
  readonly automationId: string;
  readonly turn: number;
}

const pattern = /^herald:([0-9a-f-]{36}):(\d{1,6})$/;

/** What a button carries, to come back with its tap. */
export function tapPayload({ automationId, turn }: Tap): string {
  return `herald:${automationId}:${turn}`;
}

/** `undefined` for what no button of ours carries. */
export function readTap(payload: string | undefined): Tap | undefined {
  const [, automationId = '', turn] = pattern.exec(payload ?? '') ?? [];
  return isId(automationId) ? { automationId, turn: Number(turn) } : undefined;
}
