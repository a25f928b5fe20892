/** The library `oidc-provider`, set up as a strict issuer whose people sign in with one click. */
import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { decodeJwt, decodeProtectedHeader, type JWTHeaderParameters, SignJWT, UnsecuredJWT } from 'jose';
import Provider, { type AdapterFactory, type ClientMetadata, interactionPolicy } from 'oidc-provider';
import { showError, showSignedOut, showSignIn, showSignOut } from './pages.ts';
import type { Settings } from './settings.ts';
import { makeKey, type SigningKeys } from './signing-keys.ts';
import { type IssuerClock, secondsAhead, shiftTimes } from './store.ts';

/** A registered relying party. */
export interface IssuerClient {
  readonly id: string;
  /** Absent for a public client, which must not send one. */
  readonly secret?: string;
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
}

/** Somebody who can sign in. */
export interface Person {
  readonly email: string;
  readonly name: string;
}

/** Somebody who signs in with one click on *Continue as <label>*. */
export interface KnownPerson extends Person {
  readonly label: string;
}

interface ProviderOptions {
  readonly url: string;
  readonly clock: IssuerClock;
  readonly clients: () => readonly IssuerClient[];
  readonly people: readonly KnownPerson[];
  readonly keys: SigningKeys;
  readonly store: AdapterFactory;
  readonly settings: () => Settings;
  /** Returns true if the person was removed: they can no longer sign in, and no token of theirs is renewed. */
  readonly isRemoved: (person: Pick<Person, 'email'>) => boolean;
}

export const paths = { discovery: '/.well-known/openid-configuration', jwks: '/jwks', token: '/token' };
const signInPath = '/sign-in';
/** The life of a session of the panel. */
const refreshSeconds = 7 * 86_400;

/** Sets the library up. @returns the server's listener */
export function openProvider(options: ProviderOptions) {
  const { url, clock, clients, people, keys, store, settings, isRemoved } = options;
  const accounts = store('Account');
  const labels = people.map(({ label }) => label);
  // The names contain the port, because browsers send cookies to all ports of a host.
  const cookie = `simulated-issuer-${new URL(url).port}`;
  const policy = interactionPolicy.base();
  policy.remove('consent');

  const provider = new Provider(url, {
    adapter: (model) => ({
      ...store(model),
      ...(model === 'Client' && {
        find: async (id: string) => metadataOf(clients().find((one) => one.id === id)),
      }),
    }),
    jwks: keys.all(),
    routes: { jwks: paths.jwks, token: paths.token },
    scopes: ['openid'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // As at Cognito, the id token has all claims that the scopes ask for.
    conformIdTokenClaims: false,
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    clientBasedCORS: () => false,
    // Otherwise the code of one window would become invalid as soon as another window signs in.
    expiresWithSession: async () => false,
    clockTolerance: 0,
    ttl: {
      AccessToken: 300,
      AuthorizationCode: 60,
      IdToken: 300,
      Interaction: 3_600,
      Session: 3_600,
      Grant: refreshSeconds,
      RefreshToken: refreshSeconds,
    },
    // As at Cognito, every client gets a refresh token without asking for it.
    issueRefreshToken: async () => true,
    rotateRefreshToken: () => settings().refreshTokens === 'rotate',
    cookies: { names: { session: cookie, interaction: `${cookie}-page`, resume: `${cookie}-resume` } },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { logoutSource: showSignOut, postLogoutSuccessSource: showSignedOut },
    },
    interactions: { policy, url: (_, { uid }) => `${signInPath}/${uid}` },
    async findAccount(_, sub) {
      const person = (await accounts.find(sub)) as Person | undefined;
      if (person === undefined || isRemoved(person)) return undefined;
      const { emailVerified } = settings();
      const verified = emailVerified === 'absent' ? {} : { email_verified: emailVerified };
      return { accountId: sub, claims: () => ({ sub, ...person, ...verified }) };
    },
    // Nobody is asked for consent.
    async loadExistingGrant({ oidc }) {
      const { client, session } = oidc;
      const grant = new provider.Grant({ clientId: client?.clientId, accountId: session?.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    renderError: (ctx, { error, error_description }) =>
      showError(ctx, error_description ?? error, ctx.status),
  });

  // Middleware runs around the library; this one changes its answer.
  provider.use(async (ctx, next) => {
    await next();
    const body = ctx.body as { id_token?: string } | undefined;
    if (ctx.path !== paths.token || body?.id_token === undefined) return;
    const options = { keys, fault: settings().idToken, secondsAhead: secondsAhead(clock) };
    ctx.body = { ...body, id_token: await signAgain(body.id_token, options) };
  });

  provider.use(async (ctx, next) => {
    if (!ctx.path.startsWith(`${signInPath}/`)) return next();
    const interaction = await provider.interactionDetails(ctx.req, ctx.res).catch(() => undefined);
    if (interaction === undefined) return showError(ctx, 'This sign-in has ended. Begin again.');
    const { login_hint: email, redirect_uri: redirectUri } = interaction.params;
    if (ctx.method !== 'POST') return showSignIn(ctx, { labels, email, redirectUri });
    // A page of another site must not sign somebody in.
    if (ctx.get('origin') !== url)
      return showError(ctx, 'Only the page of this identity provider may send this form.', 403);
    const form = new URLSearchParams(await text(ctx.req));
    const finish = async (result: Parameters<typeof provider.interactionResult>[2]) => {
      ctx.redirect(await provider.interactionResult(ctx.req, ctx.res, result));
      ctx.status = 303;
    };
    if (form.has('cancel'))
      return finish({ error: 'access_denied', error_description: 'The person cancelled' });
    const person = people.find(({ label }) => label === form.get('person')) ?? personOf(form);
    if (person === undefined) {
      const problem = 'Enter an email address, such as ada@example.com.';
      return showSignIn(ctx, { labels, email: form.get('email') ?? '', redirectUri, problem });
    }
    // Each sign-in begins a new session, even if somebody else was signed in.
    await (await provider.Session.findByUid(interaction.session?.uid ?? ''))?.destroy();
    delete interaction.session;
    await interaction.persist();
    const accountId = subjectOf(person);
    if (isRemoved(person))
      return finish({ error: 'access_denied', error_description: 'The person was removed' });
    await accounts.upsert(accountId, { email: person.email, name: person.name });
    return finish({ login: { accountId } });
  });

  provider.on('server_error', (_, error) => console.error('issuer:', error));
  return provider.callback();
}

function metadataOf(client: IssuerClient | undefined): ClientMetadata | undefined {
  if (client === undefined) return undefined;
  return {
    client_id: client.id,
    ...(client.secret === undefined
      ? { token_endpoint_auth_method: 'none' }
      : { client_secret: client.secret }),
    grant_types: ['authorization_code', 'refresh_token'],
    redirect_uris: [...client.redirectUris],
    post_logout_redirect_uris: [...client.postLogoutRedirectUris],
    // As at Cognito, each id token has `auth_time`.
    require_auth_time: true,
  };
}

/** Returns the `sub` of a person. The same address is the same person, even after a restart. */
export function subjectOf({ email }: Pick<Person, 'email'>): string {
  return createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, 32);
}

function personOf(form: URLSearchParams): Person | undefined {
  const email = form.get('email')?.trim() ?? '';
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) return undefined;
  return { email, name: form.get('name')?.trim() ?? '' };
}

const hourSeconds = 3_600;

/**
 * Signs an id token of the library again: with the times of the issuer's clock, and with the fault that the settings
 * ask for.
 */
async function signAgain(
  idToken: string,
  options: { keys: SigningKeys; fault: Settings['idToken']; secondsAhead: number },
): Promise<string> {
  const { keys, fault, secondsAhead } = options;
  const valid = shiftTimes(decodeJwt(idToken), secondsAhead);
  const claims = { ...valid, ...wrongClaims(valid.iat ?? 0)[fault] };
  if (fault === 'unsigned') return new UnsecuredJWT(claims).encode();
  const header = decodeProtectedHeader(idToken) as JWTHeaderParameters;
  return new SignJWT(claims)
    .setProtectedHeader(header)
    .sign(fault === 'wrong-signature' ? makeKey() : keys.current());
}

const wrongClaims = (issuedAt: number): { readonly [Fault in Settings['idToken']]?: object } => ({
  'wrong-nonce': { nonce: 'another-nonce' },
  'no-nonce': { nonce: undefined },
  'wrong-audience': { aud: 'another-client' },
  expired: { iat: issuedAt - 2 * hourSeconds, exp: issuedAt - hourSeconds },
  'wrong-issuer': { iss: 'https://issuer.example' },
  'old-sign-in': { auth_time: issuedAt - hourSeconds },
});
