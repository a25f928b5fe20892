import type { AtMostOncePorts } from '../at-most-once/ports.ts';
import type { FetchPicture } from '../link-cards/fetch.ts';
import type { RenditionPorts } from '../media/renditions/records.ts';
import type { MediaReference } from '../media/schemas.ts';
import type { MediaSource, PlatformAdapter } from '../platforms/contract/adapter.ts';
import type { DailyLimits } from '../platforms/contract/daily-limit.ts';
import type { Platform } from '../platforms/contract/names.ts';
import type { RulesFor } from '../platforms/contract/rules.ts';
import type { Target } from '../targets/schemas.ts';
import type { PublishMessage, WakeQueue } from './message.ts';

/** Everything outside the publishing engine that it depends on. */
export interface PublishingPorts extends AtMostOncePorts, Pick<RenditionPorts, 'enqueueRendition'> {
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly adapterFor: (platform: Platform) => PlatformAdapter | Promise<PlatformAdapter>;
  readonly rulesFor: RulesFor;
  /** The daily limits of the stage's apps. */
  readonly dailyLimits: DailyLimits;
  /** Fetches the picture of a card for its workspace. Absent: cards have no pictures. */
  readonly fetchPicture?: FetchPicture;
  readonly mediaSource: (reference: MediaReference, stored: StoredMedia) => MediaSource;
  /** The queue whose wakes the worker works. Only that of `upload` sends files before a target is due, and nothing else. */
  readonly queue: WakeQueue;
  /** Sends to that queue. */
  readonly enqueue: (message: PublishMessage, delaySeconds: number) => Promise<void>;
  /** Called with each target that a worker has taken, before any work on it. */
  readonly onTaken?: (target: Target) => void;
  /** Sends a message to the dead-letter queue, which raises an alarm. */
  readonly sendToDeadLetters: (message: PublishMessage) => Promise<void>;
}

/** The stored facts about an uploaded file. */
export interface StoredMedia {
  readonly contentType: string;
  readonly sizeBytes?: number | undefined;
}
