import { isId } from '../../kernel/ids.ts';

/** The question that a tap answers: an automation's conversation and turn. */
export interface Tap {
  readonly automationId: string;
  readonly turn: number;
}

const pattern = /^herald:([0-9a-f-]{36}):(\d{1,6})$/;

/** Returns the payload of a button. The platform returns it with the tap. */
export function tapPayload({ automationId, turn }: Tap): string {
  return `herald:${automationId}:${turn}`;
}

/** Reads the payload of a tap; `undefined` if it is not from one of Herald's buttons. */
export function readTap(payload: string | undefined): Tap | undefined {
  const [, automationId = '', turn] = pattern.exec(payload ?? '') ?? [];
  return isId(automationId) ? { automationId, turn: Number(turn) } : undefined;
}
