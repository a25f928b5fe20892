import * as z from 'zod';
import { dayMs, secondMs } from '../../kernel/clock.ts';
import { HeraldError } from '../../kernel/errors.ts';
import type {
  AuthorizationGrant,
  ConnectableAccount,
  PlatformAuthorization,
  TokenSet,
} from '../contract/authorization.ts';
import { PlatformError, UnusableLoginError } from '../contract/errors.ts';
import { grantedFeatures, type PlatformFeatures } from '../contract/features.ts';
import type { Parameters } from '../contract/http.ts';
import type { PlatformApp, PlatformTools } from '../contract/tools.ts';
import { dead, type ErrorRule, platformError, unreadable } from '../shared/error-table.ts';
import { readResponse } from '../shared/json.ts';
import { consentUrl, readTokens, refreshing, requirePublishing } from '../shared/oauth.ts';
import { callLinkedin } from './client.ts';
import { requireSuccess } from './errors.ts';
import {
  followersScope,
  isOfMemberApp,
  linkedinMemberFeatures,
  linkedinOrganizationFeatures,
  linkedinPartnerMemberFeatures,
  linkedinSharedOrganizationFeatures,
} from './features.ts';

/** Roles that may post ("Organization access control by role"). The documents and the API name one role differently. */
const publishingRoles = new Set([
  'ADMINISTRATOR',
  'CONTENT_ADMIN',
  'CONTENT_ADMINISTRATOR',
  'DIRECT_SPONSORED_CONTENT_POSTER',
]);

const memberFeaturesOf = (scopes: readonly string[]): PlatformFeatures =>
  isOfMemberApp(scopes) ? linkedinMemberFeatures : linkedinPartnerMemberFeatures;

/**
 * A member's own account, through an app with the products Sign In with OpenID Connect and Share on LinkedIn, or through the app of
 * organizations if the operator has chosen it for members. Requests no scopes that the app does not have: a single one makes the
 * whole login fail.
 */
export const linkedinMemberAuthorization: PlatformAuthorization = {
  ...flow({
    features: linkedinMemberFeatures,
    featuresOf: memberFeaturesOf,
    appOf: (tools, scopes) => (isOfMemberApp(scopes) ? tools.app : organizationApp(tools)),
    listAccounts: async (tokens, tools) => [
      await (isOfMemberApp(tokens.scopes) ? readMember : readPartnerMember)(tokens, tools),
    ],
  }),

  featuresWith: ({ organization }) =>
    organization?.members ? linkedinPartnerMemberFeatures : linkedinMemberFeatures,

  featuresOf: memberFeaturesOf,
};

/**
 * The organizations that a member may post for, through a separate app. The only product of that app is the Community
 * Management API.
 */
export const linkedinOrganizationAuthorization: PlatformAuthorization = {
  ...flow({
    features: linkedinOrganizationFeatures,
    featuresOf: () => linkedinOrganizationFeatures,
    appOf: organizationApp,
    listAccounts: listOrganizations,
  }),

  featuresWith: ({ organization }) =>
    organization?.members ? linkedinSharedOrganizationFeatures : linkedinOrganizationFeatures,
};

interface Flow {
  readonly features: PlatformFeatures;
  /** Returns the features of a login that requested these scopes. */
  readonly featuresOf: (scopes: readonly string[]) => PlatformFeatures;
  /** Returns the app that may request these scopes. */
  readonly appOf: (tools: PlatformTools, scopes: readonly string[]) => PlatformApp;
  readonly listAccounts: (tokens: TokenSet, tools: PlatformTools) => Promise<readonly ConnectableAccount[]>;
}

function flow({ features, featuresOf, appOf, listAccounts }: Flow): PlatformAuthorization {
  return {
    // LinkedIn supports PKCE only for native apps.
    usesPkce: false,
    features,
    // Access tokens last 60 days.
    renewal: {
      minimumAgeSeconds: 0,
      aheadSeconds: dayMs / secondMs,
      sweepAgeSeconds: (30 * dayMs) / secondMs,
    },

    // LinkedIn documents no parameter for asking a member again: "the authorization screen is bypassed" while an
    // earlier token is valid. So only our own pages ask.
    // https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow
    authorizationUrl: (request, tools) =>
      consentUrl(
        { http: tools.http, app: appOf(tools, request.scopes) },
        'https://www.linkedin.com/oauth/v2/authorization',
        request,
        { scope: scopesInUrl(request.scopes, tools.app).join(' ') },
      ),

    async exchange(grant, tools) {
      const tokens = await exchangeCode(appOf(tools, grant.scopes), grant, tools);
      requirePublishing('LinkedIn', featuresOf(grant.scopes), tokens.scopes);
      return listAccounts(tokens, tools);
    },

    /** Refreshes the tokens. Only the app that received a token can refresh it; the scopes say which app that is. */
    refresh: (tokens, tools) =>
      refreshTokens(isOfMemberApp(tokens.scopes) ? tools.app : organizationApp(tools), tokens, tools),
  };
}

/**
 * Returns the scopes that a login requests. LinkedIn ends the earlier tokens of a member and an app if a login requests other scopes than
 * before. So if members connect through the app of organizations, both kinds of accounts request what both need for the same features.
 */
function scopesInUrl(requested: readonly string[], { organization }: PlatformApp): string[] {
  if (isOfMemberApp(requested)) return [...requested];
  const kinds = organization?.members
    ? [linkedinPartnerMemberFeatures, linkedinSharedOrganizationFeatures]
    : [];
  const features = kinds.flatMap((kind) => grantedFeatures(kind, requested));
  const ofKinds = kinds.flatMap(({ scopes }) => features.flatMap((feature) => scopes[feature] ?? []));
  return [...new Set([...requested, ...ofKinds, ...(organization?.followers ? [followersScope] : [])])];
}

/** Returns the credentials of the app for organizations. @throws HeraldError `unavailable` if they are not configured */
function organizationApp({ app }: PlatformTools): PlatformApp {
  if (app.organization) return app.organization;
  throw new HeraldError(
    'platform_not_configured',
    'linkedin: this service has no app credentials for organizations yet',
    { cause: new Error("the platform's parameter has no `organization`") },
  );
}

function exchangeCode(app: PlatformApp, grant: AuthorizationGrant, tools: PlatformTools): Promise<TokenSet> {
  const form = { grant_type: 'authorization_code', code: grant.code, redirect_uri: grant.redirectUri };
  return requestTokens(app, form, { scopes: grant.scopes }, { remedy: 'rejected' }, tools);
}

/**
 * Refreshes the tokens. LinkedIn gives refresh tokens to approved partner apps only; one lasts a year from the consent.
 *
 * @throws PlatformError `reauthorise` if there is no refresh token or LinkedIn no longer accepts it
 */
async function refreshTokens(app: PlatformApp, tokens: TokenSet, tools: PlatformTools): Promise<TokenSet> {
  const { refreshToken } = tokens;
  if (refreshToken === undefined) {
    throw new PlatformError(
      'reauthorise',
      'LinkedIn grants this app access for 60 days and no refresh token: connect the account again.',
    );
  }
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
  return refreshing(() => requestTokens(app, form, tokens, dead, tools));
}

const OAuthError = z.object({ error: z.string(), error_description: z.string().catch('') });

/** Requests tokens. @param ifInvalid the rule for `invalid_request`, LinkedIn's error for an expired or used code or token */
async function requestTokens(
  { clientId, clientSecret }: PlatformApp,
  form: Parameters,
  before: Pick<TokenSet, 'refreshToken' | 'refreshExpiresAt' | 'scopes'>,
  ifInvalid: ErrorRule,
  { http, now }: PlatformTools,
): Promise<TokenSet> {
  const response = await http.send({
    method: 'POST',
    url: 'https://www.linkedin.com/oauth/v2/accessToken',
    body: { form: { ...form, client_id: clientId, client_secret: clientSecret } },
  });
  const refused = OAuthError.safeParse(response.json);
  if (refused.success) {
    const { error: platformCode, error_description: message } = refused.data;
    const failure = { platformCode, message, status: response.status };
    throw platformError(
      'LinkedIn',
      failure,
      platformCode === 'invalid_request' ? ifInvalid : { remedy: 'rejected' },
    );
  }
  if (response.status !== 200) throw unreadable('LinkedIn', response);
  return readTokens(response, now(), before);
}

const text = z.string().optional().catch(undefined);
const UserInfo = z.object({ sub: z.string().min(1), name: text, picture: text });

/** Reads the member's account. LinkedIn returns a display name, but no username. */
async function readMember(tokens: TokenSet, { http, now }: PlatformTools): Promise<ConnectableAccount> {
  const response = await http.send({
    method: 'GET',
    url: 'https://api.linkedin.com/v2/userinfo',
    bearer: tokens.accessToken,
  });
  const { sub, name, picture } = readResponse(UserInfo, requireSuccess(response, now()));
  return {
    platformAccountId: `urn:li:person:${sub}`,
    username: null,
    displayName: name ?? null,
    avatarUrl: picture ?? null,
    meta: { as: 'member' },
    tokens,
  };
}

const BasicProfile = z.object({
  id: z.string().min(1),
  localizedFirstName: text,
  localizedLastName: text,
  vanityName: text,
});

/**
 * Reads the member's account through the app of organizations. LinkedIn gives a person another id in each app, so a member who was
 * connected through the other one becomes another account.
 */
async function readPartnerMember(
  tokens: TokenSet,
  { http, now }: PlatformTools,
): Promise<ConnectableAccount> {
  const response = await http.send({
    method: 'GET',
    url: 'https://api.linkedin.com/v2/me',
    bearer: tokens.accessToken,
  });
  const profile = readResponse(BasicProfile, requireSuccess(response, now()));
  const names = [profile.localizedFirstName, profile.localizedLastName].filter(Boolean);
  return {
    platformAccountId: `urn:li:person:${profile.id}`,
    username: profile.vanityName ?? null,
    displayName: names.join(' ') || null,
    avatarUrl: null,
    meta: { as: 'member' },
    tokens,
  };
}

const organizationUrn = z
  .string()
  .regex(/^urn:li:organization:\d+$/)
  .optional()
  .catch(undefined);
const Acls = z.object({
  elements: z.array(
    z.object({ organization: organizationUrn, organizationTarget: organizationUrn, role: text, state: text }),
  ),
});
const Organization = z.object({
  localizedName: text,
  vanityName: text,
  logoV2: z.object({ original: text }).optional().catch(undefined),
});
const Logo = z.object({
  downloadUrl: z
    .url({ protocol: /^https$/ })
    .optional()
    .catch(undefined),
});

/** The most organizations whose logos are read, and the time limit of each read. People wait for them. */
const logoLimits = { organizations: 20, seconds: 5 } as const;

const pageSize = 100;
/** The limit on pages. It allows 500 roles: more accounts than anyone can choose from on one page. */
const maxPages = 5;

async function listOrganizations(tokens: TokenSet, tools: PlatformTools): Promise<ConnectableAccount[]> {
  const urns = await organizationUrns(tokens.accessToken, tools);
  if (urns.length === 0) {
    throw new UnusableLoginError(
      'no_accounts',
      "This LinkedIn member may not post for any organization: ask an admin of the organization's page for a role that may, then connect again.",
    );
  }
  const accounts: (ConnectableAccount & { logo: string | undefined })[] = [];
  // One call each: the Development tier cannot read several organizations with one call.
  for (const urn of urns) {
    const path = `organizations/${urn.split(':').at(-1)}`;
    const response = await callLinkedin(tools, { method: 'GET', path, bearer: tokens.accessToken });
    const { localizedName, vanityName, logoV2 } = readResponse(Organization, response);
    accounts.push({
      platformAccountId: urn,
      username: vanityName ?? null,
      displayName: localizedName ?? null,
      avatarUrl: null,
      meta: { as: 'organization' },
      tokens,
      logo: logoV2?.original,
    });
  }
  return Promise.all(
    accounts.map(async ({ logo, ...account }, index) => ({
      ...account,
      avatarUrl: index < logoLimits.organizations ? await logoUrl(logo, tokens.accessToken, tools) : null,
    })),
  );
}

/**
 * Returns the URL of a logo; null if LinkedIn does not show it. The lookup names a media asset; the image of it has the same id.
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/organizations/organization-lookup-api and
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/images-api (`downloadUrl`)
 */
async function logoUrl(
  asset: string | undefined,
  bearer: string,
  tools: PlatformTools,
): Promise<string | null> {
  const id = /^urn:li:(?:digitalmediaAsset|image):([\w-]+)$/.exec(asset ?? '')?.[1];
  if (id === undefined) return null;
  try {
    const path = `images/${encodeURIComponent(`urn:li:image:${id}`)}`;
    const response = await callLinkedin(tools, {
      method: 'GET',
      path,
      bearer,
      totalSeconds: logoLimits.seconds,
    });
    return readResponse(Logo, response).downloadUrl ?? null;
  } catch (error) {
    if (error instanceof PlatformError) return null;
    throw error;
  }
}

/** Lists the organizations that the member may post for. Filters roles here: LinkedIn's filter needs one call per role. */
async function organizationUrns(bearer: string, tools: PlatformTools): Promise<string[]> {
  const urns = new Set<string>();
  for (let page = 0; page < maxPages; page += 1) {
    const { publishable, isLast } = await rolesPage(bearer, tools, page);
    for (const urn of publishable) urns.add(urn);
    if (isLast) break;
  }
  return [...urns];
}

/** Reads a page of the member's roles: the organizations for which they may post. @param page its number, from 0 */
export async function rolesPage(
  bearer: string,
  tools: PlatformTools,
  page = 0,
): Promise<{ readonly publishable: readonly string[]; readonly isLast: boolean }> {
  const query = { q: 'roleAssignee', count: String(pageSize), start: String(page * pageSize) };
  const response = await callLinkedin(tools, { method: 'GET', path: 'organizationAcls', query, bearer });
  const { elements } = readResponse(Acls, response);
  const publishable = elements.flatMap(({ organization, organizationTarget, role, state }) => {
    const urn = organization ?? organizationTarget;
    return urn !== undefined && state === 'APPROVED' && publishingRoles.has(role ?? '') ? [urn] : [];
  });
  return { publishable, isLast: elements.length < pageSize };
}
