import { createHash } from 'node:crypto';
import type { Ledger } from '../kit/ledger.ts';
import type { LiveMedia } from '../kit/live-post.ts';
import { openUserTokens, type UserToken } from '../kit/login/user-tokens.ts';
import { indexBy } from '../kit/records.ts';

/** The app that a token belongs to. LinkedIn does not allow one app for both purposes, see "Increasing access". */
export type AppKind = 'member' | 'organization';

export interface Member {
  readonly username: string;
  /** The `sub` of the userinfo answer: the member's id in the app of members. */
  readonly id: string;
  readonly name: string;
}

export interface Organization {
  readonly id: number;
  readonly name: string;
  readonly vanityName: string;
}

/** A member's role in an organization. */
export interface Role {
  readonly username: string;
  readonly organizationId: number;
  /** `ADMINISTRATOR`, `CONTENT_ADMIN`, `ANALYST` … */
  readonly role: string;
  readonly state: 'APPROVED' | 'REQUESTED' | 'REVOKED';
}

export interface Token extends UserToken {
  readonly app: AppKind;
}

export type AssetKind = 'image' | 'video' | 'document';

/** An image, a video or a document, from the start of its upload onwards. */
export interface Asset {
  readonly urn: string;
  readonly kind: AssetKind;
  readonly owner: string;
  readonly startedAt: number;
  readonly urlsExpireAt: number;
  /** True for a video whose upload was started with `uploadThumbnail`. */
  readonly wantsCover?: boolean;
  /** The cover of a video, once it has arrived. */
  readonly cover?: LiveMedia;
  /** The requested parts of a video, with the ETag of each part that has arrived. Empty for other kinds. */
  readonly parts: readonly Part[];
  /** Set once the whole file has arrived. */
  readonly media?: LiveMedia;
  /** The end of processing, in epoch milliseconds; null if it never ends. */
  readonly processedAt?: number | null;
  readonly failure?: string;
}

export interface Part {
  readonly firstByte: number;
  readonly lastByte: number;
  readonly etag?: string;
}

export interface Post {
  readonly urn: string;
  readonly author: string;
  /** The commentary in little text, as the API returns it. */
  readonly commentary: string;
  readonly visibility: string;
  readonly content: unknown;
  /** Set for a reshare: the reshared post, and the post at the beginning of a series of reshares. */
  readonly reshareContext?: { readonly parent: string; readonly root: string };
  readonly isReshareDisabledByAuthor?: boolean;
  readonly publishedAt: number;
  /** A digest of text and media. Another post with the same digest is a duplicate. */
  readonly likeness: string;
}

/** A member who follows an organization, and may be mentioned in its posts ("People Typeahead API"). */
export interface Follower {
  readonly username: string;
  readonly organizationId: number;
}

/** A comment on a post ("Comments API"). */
export interface Comment {
  readonly id: string;
  /** The URN of the post. */
  readonly object: string;
  readonly actor: string;
  readonly text: string;
  readonly createdAt: number;
}

export function openState(ledger: Ledger) {
  return {
    members: ledger.records<Member>('member'),
    organizations: ledger.records<Organization>('organization'),
    followers: ledger.records<Follower>('follower', ({ organizationId }) => ({
      owner: String(organizationId),
      at: 0,
    })),
    roles: ledger.records<Role>('role', ({ username }) => ({ owner: username, at: 0 })),
    ...openUserTokens<Token>(ledger),
    assets: ledger.records<Asset>('asset'),
    posts: ledger.replicated<Post>('linkedin-post', indexBy('author', 'publishedAt')),
    comments: ledger.replicated<Comment>('linkedin-comment', indexBy('object', 'createdAt')),
    /** The number of calls, by `<UTC date>/<app>` and `<UTC date>/<app>/<username>`. */
    calls: ledger.records<number>('calls'),
  };
}

export type State = ReturnType<typeof openState>;

/**
 * Returns the member's URN as an app sees it: "The id is unique to your specific developer application."
 * https://learn.microsoft.com/linkedin/shared/references/v2/profile
 */
export const personUrn = ({ id, username }: Member, app: AppKind) =>
  `urn:li:person:${app === 'member' ? id : memberIdOf(`${username}/${app}`)}`;
export const organizationUrn = (id: number) => `urn:li:organization:${id}`;

/** Returns the member's id. A username has the same id in every run. */
export function memberIdOf(username: string): string {
  return createHash('sha256').update(username).digest('base64url').replace(/[-_]/g, '0').slice(0, 10);
}

/** Returns the organization's id. A vanity name has the same id in every run. */
export function organizationIdOf(vanityName: string): number {
  return 10_000_000 + (createHash('sha256').update(vanityName).digest().readUInt32BE(0) % 90_000_000);
}

/**
 * Returns the next post id. It has 19 digits, as the real ids: `JSON.parse` would lose digits if they were numbers. The upper
 * bits are the time of creation: a recorded response of the API has `created.time` 1679663763610 for
 * urn:li:share:7045020441609936898, whose upper bits are 1679663763430.
 *
 * @param at epoch milliseconds
 */
export function nextPostId(ledger: Ledger, at: number): string {
  return String((BigInt(Math.floor(at)) << 22n) + 4n * BigInt(ledger.nextNumber('post')) + 1n);
}

/** The roles that may publish. The content administrator has different names in the documentation and in live data. */
const publishingRoles = new Set([
  'ADMINISTRATOR',
  'CONTENT_ADMIN',
  'CONTENT_ADMINISTRATOR',
  'DIRECT_SPONSORED_CONTENT_POSTER',
]);

/** Returns true if a member may publish as the organization with this URN. */
export function mayPublishAs({ roles }: State, username: string, urn: string): boolean {
  return roles
    .list({ owner: username })
    .some(
      ({ organizationId, role, state }) =>
        organizationUrn(organizationId) === urn && state === 'APPROVED' && publishingRoles.has(role),
    );
}
