import type { AccountKind, Platform } from '../../../lib/platforms/contract/names.ts';
import type { Rhythm } from '../../../lib/rhythm/schemas.ts';
import type { Deployment } from '../service.ts';
import type { WorldOptions } from '../world/world.ts';

/** Instagram alone gets `image.png`, which must be converted for it. */
export type FileName = 'image.jpg' | 'image.png' | 'video.mp4';

/** Everything that happens in a run, except what follows from it. Plain JSON, so that it can be stored and shrunk. */
export interface Scenario {
  readonly world: WorldOptions;
  readonly deployment: Deployment;
  readonly workspaces: readonly PlannedWorkspace[];
  readonly interruption?: PlannedInterruption;
  /** The days that the run goes on after the last fault. */
  readonly days?: number;
}

/** A person's act at one external call of the run. It concerns the first post, or all accounts, of the first workspace. */
export interface PlannedInterruption {
  /** The number of the call among all external calls of the run, from 1. */
  readonly call: number;
  readonly act: 'edit' | 'delete' | 'disconnect' | 'reconnect' | 'pause';
  /** True if the call waits until the act has been answered; false if both run at the same time. */
  readonly isAwaited: boolean;
}

/** One customer: the connected accounts, and what the customer's systems do. */
export interface PlannedWorkspace {
  readonly accounts: readonly PlannedAccount[];
  /** True if the workspace has connected the accounts of the first workspace, as an agency and its customer do. */
  readonly sharesAccounts?: boolean;
  /** True if the workspace has a webhook endpoint for all events. */
  readonly hasWebhook: boolean;
  /** True if the workspace's systems read its event feed, at random times. */
  readonly readsEvents?: boolean;
  /** The time for which the workspace's endpoint is disabled. Then everything is sent to it again. */
  readonly endpointOff?: { readonly fromMs: number; readonly untilMs: number };
  readonly posts: readonly PlannedPost[];
  readonly disconnects: readonly PlannedDisconnect[];
  readonly pauses?: readonly PlannedPause[];
  /** The time at which operators delete the workspace. */
  readonly deletedMs?: number;
  readonly comments: readonly PlannedComments[];
  /** The automations that messages to an account start. */
  readonly messages?: readonly PlannedMessages[];
}

export interface PlannedAccount {
  readonly platform: Platform;
  readonly as?: AccountKind;
  readonly rhythm?: Partial<Rhythm>;
  /** Settings of the platform's simulator. */
  readonly settings?: Readonly<Record<string, boolean | number>>;
}

export interface PlannedPost {
  /** Unique in the run. The text of every post begins with it, so that the judge can tell posts apart. */
  readonly name: string;
  readonly atMs: number;
  /** The due time: a time, `now` or the next free slot. */
  readonly due: number | 'now' | 'auto';
  readonly targets: readonly PlannedTarget[];
  readonly chain: readonly PlannedStep[];
  readonly actions: readonly PlannedAction[];
  /** The text, if it is not its name. Posts with the same text on one account are hard to tell apart. */
  readonly text?: string;
}

export interface PlannedTarget {
  /** The index of the account in its workspace. */
  readonly account: number;
  /** Absent for a text. Platforms that need a file get one. */
  readonly file?: FileName;
  /** True if the request names its file by an address of the customer's own server. */
  readonly isImported?: boolean;
  readonly hasOwnText?: boolean;
  readonly hasFirstComment?: boolean;
  /** The number of parts that follow as a thread; only on Threads. The last one has the file, too. */
  readonly furtherParts?: number;
  readonly dueMs?: number;
}

export interface PlannedStep {
  readonly kind: 'followUp' | 'crossPost';
  readonly account: number;
  readonly afterMinutes: number;
}

export type PlannedAction =
  | {
      readonly kind: 'edit';
      readonly atMs: number;
      readonly dueMs?: number;
      readonly targets?: readonly PlannedTarget[];
    }
  | { readonly kind: 'delete'; readonly atMs: number }
  | { readonly kind: 'retry'; readonly atMs: number }
  /** Takes down what is live. */
  | { readonly kind: 'unpublish'; readonly atMs: number };

/** Somebody disconnects an account, and perhaps connects it again. */
export interface PlannedDisconnect {
  readonly account: number;
  readonly atMs: number;
  readonly againMs?: number;
}

/** Operators pause publishing for a while. */
export interface PlannedPause {
  /** The index of an account: it alone is paused, or its whole platform. Absent for the workspace. */
  readonly account?: number;
  readonly isOfPlatform?: boolean;
  readonly atMs: number;
  readonly endMs: number;
}

/** An automation of a post on Instagram, and the people who comment on that post. */
export interface PlannedComments {
  readonly account: number;
  /** Unique in the run. The texts of the automation begin with it. */
  readonly name: string;
  /** The name of the automation whose texts this one sends too. Absent for its own. */
  readonly texts?: string;
  /** The name of the planned post. If absent, the post was made before the run. All times count from when the post is live. */
  readonly post?: string;
  readonly automationAfterMs: number;
  readonly replies: boolean;
  readonly writes: boolean;
  /** True if only followers get the message, after they have tapped a button. */
  readonly isGated: boolean;
  /** The places in which Instagram accepts buttons. */
  readonly buttons: 'everywhere' | 'messages only' | 'refused';
  readonly comments: readonly PlannedComment[];
}

/** An automation that messages to an account on Instagram start, and the people who write them. Times count from the start of the run. */
export interface PlannedMessages {
  readonly account: number;
  /** Unique in the run. The texts of the automation begin with it. */
  readonly name: string;
  readonly appliesTo: 'story_replies' | 'direct_messages';
  readonly automationAfterMs: number;
  readonly isGated: boolean;
  readonly written: readonly PlannedMessage[];
}

export interface PlannedMessage extends Omit<PlannedComment, 'by'> {
  /** `dan` follows the account, and `eve` only after her first tap. */
  readonly by: 'dan' | 'eve';
  readonly isStoryReply: boolean;
}

export interface PlannedComment {
  readonly afterMs: number;
  /** `bob` follows the account only after his first tap; Instagram does not say whether `cem` follows it. */
  readonly by: 'ann' | 'bob' | 'cem';
  /** True if it contains the automation's keyword. */
  readonly isMatching: boolean;
  /** The person's action once a private message arrives. */
  readonly answers?: 'taps' | 'taps twice' | 'writes';
}
