import type { AtMostOncePorts } from '../at-most-once/ports.ts';
import type { MediaReference } from '../media/schemas.ts';
import type { MediaSource, PlatformAdapter } from '../platforms/contract/adapter.ts';
import type { Platform } from '../platforms/contract/names.ts';
import type { RulesFor } from '../platforms/contract/rules.ts';
import type { Target } from '../targets/schemas.ts';
import type { PublishMessage } from './message.ts';

/** What the publishing engine is given of the world. */
export interface PublishingPorts extends AtMostOncePorts {
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly adapterFor: (platform: Platform) => PlatformAdapter | Promise<PlatformAdapter>;
  readonly rulesFor: RulesFor;
  readonly mediaSource: (reference: MediaReference, stored: StoredMedia) => MediaSource;
  readonly enqueue: (message: PublishMessage, delaySeconds: number) => Promise<void>;
  /** Told of the target that a worker has taken, with the number of its attempt, before anything is done for it. */
  readonly taken?: (target: Target) => void;
  /** Puts a message among the dead letters, where operators hear of it. */
  readonly setAside: (message: PublishMessage) => Promise<void>;
}

/** What is known of a file, where it has arrived. */
export interface StoredMedia {
  readonly contentType: string;
  readonly sizeBytes?: number | undefined;
}
