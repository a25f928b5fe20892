import type { AtMostOncePorts } from '../../at-most-once/ports.ts';
import type { StageFeatures } from '../../platforms/contract/features.ts';
import type { CommentPlatform } from '../../platforms/contract/messaging.ts';
import type { Platform } from '../../platforms/contract/names.ts';
import type { AutomationMessage } from '../schemas.ts';

/** Everything outside the automation engine on which it depends. */
export interface ActionPorts extends AtMostOncePorts {
  /** The public address of the redirect, without a final slash. */
  readonly linkBaseUrl: string;
  readonly commentPlatformFor: (platform: Platform) => CommentPlatform | undefined;
  /** The features that the operator has enabled. They may have changed since an automation was stored. */
  readonly stageFeatures: StageFeatures;
  readonly enqueue: (message: AutomationMessage, delaySeconds: number) => Promise<void>;
  /** Called with the code of the reason if an action waits because something failed or stands in its way. */
  readonly onPutOff?: (reason: string) => void;
  /** Replaces the platform's own cap. */
  readonly privateRepliesPerHour?: number;
}
