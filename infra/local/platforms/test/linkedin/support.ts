import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LivePost } from '../../kit/live-post.ts';
import { startSimulator } from '../../kit/simulator.ts';
import type { Simulator } from '../../kit/types.ts';
import { linkedin } from '../../linkedin/linkedin.ts';
import { readMedia } from '../support/media.ts';

export const redirectUri = 'http://127.0.0.1:4000/oauth/linkedin/callback';
export const apps = {
  member: { id: 'member-app', secret: 'member-secret', redirectUris: [redirectUri] },
  organization: { id: 'organization-app', secret: 'organization-secret', redirectUris: [redirectUri] },
};
export const scopes = {
  member: 'openid profile w_member_social',
  organization: 'w_organization_social r_organization_social rw_organization_admin',
};
export const commentScopes = `${scopes.organization} w_organization_social_feed r_organization_social_feed`;
export type AppKind = keyof typeof apps;

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Body;
}

/** The fields that tests read from answers. Not validated: a missing field fails the test’s comparison. */
export interface Body {
  readonly [field: string]: unknown;
  readonly id: string;
  readonly status: number | string;
  readonly code: string;
  readonly message: string;
  readonly error: string;
  readonly access_token: string;
  readonly refresh_token: string;
  readonly value: {
    readonly image: string;
    readonly video: string;
    readonly uploadUrl: string;
    readonly uploadToken: string;
    readonly thumbnailUploadUrl?: string;
    readonly uploadInstructions: readonly UploadInstruction[];
  };
  readonly elements: readonly Body[];
  readonly errorDetails: { readonly inputErrors: readonly { readonly code: string }[] };
}

export interface UploadInstruction {
  readonly uploadUrl: string;
  readonly firstByte: number;
  readonly lastByte: number;
}

interface ListedAccount {
  readonly id: string;
  readonly username: string;
  readonly organizations: readonly { readonly id: string }[];
}

export interface Session {
  readonly token: string;
  /** The author's URN. */
  readonly author: string;
}

/** Opens a simulator with a clock that tests move. */
export async function openFixture() {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'linkedin-'));
  const clock = { time: Date.UTC(2026, 10, 20, 12), now: () => clock.time };
  const users = [{ username: 'harbour.coffee' }, { username: 'north.light' }];
  const definition = linkedin({ app: apps.member, organizationApp: apps.organization, users });
  let simulator: Simulator = await startSimulator({ definition, dataDirectory, clock, port: 0 });
  const reply = async (response: Response): Promise<Reply> => {
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true && text !== '';
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} };
  };
  const versioned = { 'linkedin-version': '202609', 'x-restli-protocol-version': '2.0.0' };

  const fixture = {
    clock,
    advance(seconds: number) {
      clock.time += seconds * 1000;
    },
    async restart() {
      await simulator.stop();
      simulator = await startSimulator({ definition, dataDirectory, clock, port: 0 });
    },
    async close() {
      await simulator.stop();
      await rm(dataDirectory, { recursive: true });
    },
    async control(method: string, path: string, body?: unknown) {
      const init = body === undefined ? {} : { body: JSON.stringify(body) };
      const headers = { 'content-type': 'application/json' };
      return reply(await fetch(`${simulator.control}/${path}`, { method, headers, ...init }));
    },
    set: (settings: Record<string, unknown>) => fixture.control('PUT', 'settings', settings),
    posts: async (): Promise<readonly LivePost[]> => JSON.parse((await fixture.control('GET', 'posts')).text),

    /** @param decisions the person’s decisions at the consent page, or other parameters of the request */
    async authorize(kind: AppKind, decisions: Record<string, string> = {}) {
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: apps[kind].id,
        redirect_uri: redirectUri,
        state: 'a b&c',
        scope: scopes[kind],
        ...decisions,
      });
      const address = `${simulator.url}/www.linkedin.com/oauth/v2/authorization?${query}`;
      return reply(await fetch(address, { redirect: 'manual' }));
    },
    async code(kind: AppKind, decisions: Record<string, string> = {}) {
      const { headers } = await fixture.authorize(kind, {
        login: 'harbour.coffee',
        approve: '1',
        ...decisions,
      });
      return new URL(headers.get('location') ?? '').searchParams.get('code') ?? '';
    },
    async tokens(kind: AppKind, fields: Record<string, string>) {
      const { id, secret } = apps[kind];
      const form = { client_id: id, client_secret: secret, redirect_uri: redirectUri, ...fields };
      const address = `${simulator.url}/www.linkedin.com/oauth/v2/accessToken`;
      return reply(await fetch(address, { method: 'POST', body: new URLSearchParams(form) }));
    },
    /** Runs the whole login. */
    async connect(
      kind: AppKind,
      login = 'harbour.coffee',
      decisions: Record<string, string> = {},
    ): Promise<Session> {
      const code = await fixture.code(kind, { login, ...decisions });
      const { body } = await fixture.tokens(kind, { grant_type: 'authorization_code', code });
      const accounts: ListedAccount[] = JSON.parse((await fixture.control('GET', 'accounts')).text);
      const account = accounts.find(({ username }) => username === login);
      return {
        token: body.access_token,
        author: (kind === 'member' ? account?.id : account?.organizations[0]?.id) ?? '',
      };
    },

    /** Calls the API with the required headers. `undefined` omits a header. */
    async call(
      { token }: Pick<Session, 'token'>,
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string | undefined> = {},
    ) {
      const all = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...versioned,
        ...headers,
      };
      const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
      const init = body === undefined ? {} : { body: JSON.stringify(body) };
      return reply(
        await fetch(`${simulator.url}/api.linkedin.com/${path}`, { method, headers: given, ...init }),
      );
    },
    /** Sends bytes to an upload address from LinkedIn. */
    async put(url: string, bytes: Buffer, headers: Record<string, string> = {}) {
      const address = `${simulator.url}/${url.replace('https://', '')}`;
      return reply(await fetch(address, { method: 'PUT', body: new Uint8Array(bytes), headers }));
    },
    post: (session: Session, changes: Record<string, unknown> = {}) =>
      fixture.call(session, 'POST', 'rest/posts', { ...postOf(session), ...changes }),
    async image(session: Session): Promise<string> {
      const { body } = await fixture.call(session, 'POST', 'rest/images?action=initializeUpload', {
        initializeUploadRequest: { owner: session.author },
      });
      await fixture.put(body.value.uploadUrl, await readMedia('square.jpg'), {
        authorization: `Bearer ${session.token}`,
      });
      return body.value.image;
    },
    beginVideo: (session: Session, fileSizeBytes: number, changes: Record<string, unknown> = {}) =>
      fixture.call(session, 'POST', 'rest/videos?action=initializeUpload', {
        initializeUploadRequest: {
          owner: session.author,
          fileSizeBytes,
          uploadCaptions: false,
          uploadThumbnail: false,
          ...changes,
        },
      }),
  };
  return fixture;
}

export type Fixture = Awaited<ReturnType<typeof openFixture>>;

export function postOf({ author }: Session) {
  return {
    author,
    commentary: 'Hello',
    visibility: 'PUBLIC',
    distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
    lifecycleState: 'PUBLISHED',
    isReshareDisabledByAuthor: false,
  };
}
