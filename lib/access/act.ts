import type { Actor } from './actor.ts';
import type { Verb } from './verbs.ts';

/** Somebody's action, as the audit log records each change. */
export interface Act {
  readonly actor: Actor;
  readonly verb: Verb;
  /** The `X-Request-Id` of the response, or an id of the admin command's run. */
  readonly requestId: string;
}
