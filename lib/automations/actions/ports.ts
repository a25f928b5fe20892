import type { AtMostOncePorts } from '../../at-most-once/ports.ts';
import type { CommentPlatform } from '../../platforms/contract/messaging.ts';
import type { Platform } from '../../platforms/contract/names.ts';
import type { AutomationMessage } from '../schemas.ts';

/** What the engine of automations is given of the world. */
export interface ActPorts extends AtMostOncePorts {
  /** Where people reach the redirect, without a final slash. */
  readonly publicBaseUrl: string;
  readonly commentPlatformFor: (platform: Platform) => CommentPlatform | undefined;
  readonly enqueue: (message: AutomationMessage, delaySeconds: number) => Promise<void>;
  /** In place of the platform's own cap. */
  readonly privateRepliesPerHour?: number;
}
