import { createHash } from 'node:crypto';
import type { Ledger } from '../kit/ledger.ts';
import type { LiveMedia } from '../kit/live-post.ts';
import { openUserTokens, type UserToken } from '../kit/login/user-tokens.ts';
import { indexBy } from '../kit/records.ts';

export interface User {
  readonly username: string;
  /** The id, digits only. */
  readonly id: string;
  readonly businessName: string | null;
  readonly accountType: 'PINNER' | 'BUSINESS';
}

/** A token of the sandbox or of production. Neither host accepts the other's. */
export interface Token extends UserToken {
  readonly isSandbox: boolean;
}

export type Privacy = 'PUBLIC' | 'PROTECTED' | 'SECRET';

export interface Board {
  readonly id: string;
  readonly username: string;
  readonly name: string;
  readonly privacy: Privacy;
  /** A board for ads. Users cannot create Pins on it. */
  readonly isAdsOnly: boolean;
  /** Entities of the sandbox are separate: production does not show them, nor the other way round. */
  readonly isSandbox?: boolean;
  readonly description?: string | null;
  readonly sections: readonly Section[];
}

export interface Section {
  readonly id: string;
  readonly name: string;
}

/** A video, from its registration onwards. */
export interface Media {
  readonly id: string;
  readonly username: string;
  /** The fields that the upload form must contain. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly registeredAt: number;
  /** Set once the file has arrived. */
  readonly file?: LiveMedia;
  /** The end of processing, in epoch milliseconds; null if it never ends. */
  readonly processedAt?: number | null;
  readonly failure?: string;
}

export interface Pin {
  readonly id: string;
  readonly username: string;
  readonly boardId: string;
  readonly sectionId: string | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly link: string | null;
  readonly altText: string | null;
  readonly dominantColor: string | null;
  readonly mediaType: 'image' | 'video' | 'multiple_images';
  readonly createdAt: number;
}

export function openState(ledger: Ledger) {
  return {
    users: ledger.records<User>('user'),
    boards: ledger.records<Board>('board', ({ username }) => ({ owner: username, at: 0 })),
    ...openUserTokens<Token>(ledger),
    media: ledger.records<Media>('media'),
    /** Indexed by their board. */
    pins: ledger.replicated<Pin>('pin', indexBy('boardId', 'createdAt')),
    /** The number of calls, by `<window>/<window length>/<kind>/<username>`. */
    calls: ledger.records<number>('calls'),
  };
}

export type State = ReturnType<typeof openState>;

/** Returns an id of 18 digits: `JSON.parse` would lose digits if ids were numbers. A name has the same id in every run. */
function idOf(name: string): string {
  return String(
    500_000_000_000_000_001n + (createHash('sha256').update(name).digest().readBigUInt64BE(0) >> 7n),
  );
}

export const userIdOf = (username: string) => idOf(`user/${username}`);
export const boardIdOf = (username: string, name: string) => idOf(`board/${username}/${name}`);
export const sectionIdOf = (boardId: string, name: string) => idOf(`section/${boardId}/${name}`);

/** The same API for tests by developers. https://developers.pinterest.com/docs/developer-tools/sandbox/ */
export const sandboxHost = 'api-sandbox.pinterest.com';

export function nextPinId(ledger: Ledger): string {
  return String(813_744_226_420_000_001n + 7n * BigInt(ledger.nextNumber('pin')));
}

export function nextMediaId(ledger: Ledger): string {
  return String(5_244_130_000_000_000_001n + 3n * BigInt(ledger.nextNumber('media')));
}
