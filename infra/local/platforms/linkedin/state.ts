import { createHash } from 'node:crypto';
import { indexBy, type Ledger } from '../kit/ledger.ts';
import type { LiveMedia } from '../kit/live-post.ts';
import { openUserTokens, type UserToken } from '../kit/login/user-tokens.ts';

/** Which of the two apps a token was given to: they can never be one, see "Increasing access". */
export type AppKind = 'member' | 'organization';

export interface Member {
  readonly username: string;
  /** `sub` of the userinfo answer; `urn:li:person:<id>` names the member. */
  readonly id: string;
  readonly name: string;
}

export interface Organization {
  readonly id: number;
  readonly name: string;
  readonly vanityName: string;
}

/** What a member may do for an organization. */
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

/** An image, a video or a document, from the start of its upload on. */
export interface Asset {
  readonly urn: string;
  readonly kind: AssetKind;
  readonly owner: string;
  readonly startedAt: number;
  readonly urlsExpireAt: number;
  /** Of a video: the parts that were asked for, with the ETag of each that has arrived. */
  readonly parts: readonly Part[];
  /** Set once all bytes are there. */
  readonly media?: LiveMedia;
  /** Null: processing never ends. */
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
  /** As it is read back, in little text. */
  readonly commentary: string;
  readonly visibility: string;
  readonly content: unknown;
  readonly publishedAt: number;
  /** Text and media: what makes another post a duplicate. */
  readonly likeness: string;
}

/** Everything that LinkedIn remembers here, in the ledger. */
export function openState(ledger: Ledger) {
  return {
    members: ledger.records<Member>('member'),
    organizations: ledger.records<Organization>('organization'),
    roles: ledger.records<Role>('role', ({ username }) => ({ owner: username, at: 0 })),
    ...openUserTokens<Token>(ledger),
    assets: ledger.records<Asset>('asset'),
    posts: ledger.records<Post>('linkedin-post', indexBy('author', 'publishedAt')),
    /** Calls by `<UTC date>/<app>` and `<UTC date>/<app>/<username>`. */
    calls: ledger.records<number>('calls'),
  };
}

export type State = ReturnType<typeof openState>;

export const personUrn = ({ id }: Member) => `urn:li:person:${id}`;
export const organizationUrn = (id: number) => `urn:li:organization:${id}`;

/** The same for a username in every run. */
export function memberIdOf(username: string): string {
  return createHash('sha256').update(username).digest('base64url').replace(/[-_]/g, '0').slice(0, 10);
}

export function organizationIdOf(vanityName: string): number {
  return 10_000_000 + (createHash('sha256').update(vanityName).digest().readUInt32BE(0) % 90_000_000);
}

/** 19 digits, as the real ones: no number in JSON can hold them. */
export function nextPostId(ledger: Ledger): string {
  return String(7_290_000_000_000_000_001n + 4n * BigInt(ledger.nextNumber('post')));
}

/** Roles that may publish; the name of one differs between the documentation and what is seen. */
const publishingRoles = new Set([
  'ADMINISTRATOR',
  'CONTENT_ADMIN',
  'CONTENT_ADMINISTRATOR',
  'DIRECT_SPONSORED_CONTENT_POSTER',
]);

/** Whether a member may publish as the organization with this URN. */
export function mayPublishAs({ roles }: State, username: string, urn: string): boolean {
  return roles
    .list({ owner: username })
    .some(
      ({ organizationId, role, state }) =>
        organizationUrn(organizationId) === urn && state === 'APPROVED' && publishingRoles.has(role),
    );
}
