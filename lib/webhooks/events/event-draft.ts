import type { WebhookEventType } from '../schemas.ts';

/** An event before it is stored. */
export interface EventDraft {
  /** Derived from the change, so that a change that the stream delivers twice gives the same event. */
  readonly id: string;
  readonly workspaceId: string;
  readonly type: WebhookEventType;
  /** Epoch milliseconds. */
  readonly atMs: number;
  /** The accounts that it is about. An endpoint may ask for the events of some accounts only. */
  readonly accountIds: readonly string[];
  /** The envelope's `data`, in the form of the API. */
  readonly data: unknown;
}
