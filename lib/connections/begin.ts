import { referenceTo, sessionOf } from '../access/actor.ts';
import type { Context } from '../api-contract/context.ts';
import { auditPart } from '../audit/record.ts';
import { minuteMs, toTimestamp } from '../kernel/clock.ts';
import { invalidField } from '../kernel/errors.ts';
import { randomToken } from '../kernel/ids.ts';
import { type StageFeatures, scopesToRequest } from '../platforms/contract/features.ts';
import { type Platform, platformTitles } from '../platforms/contract/names.ts';
import { getWorkspace } from '../workspaces/store.ts';
import { type ConnectionPorts, pageUrl } from './ports.ts';
import { isHostAllowed } from './redirect-url.ts';
import type { BeginConnectionBody, BegunConnection } from './schemas.ts';
import { attemptId, insertConnection } from './store.ts';

/** The time limit of each step: at the platform, on the page to choose accounts, and until the claim. */
export const patienceMs = 10 * minuteMs;

/**
 * Begins an attempt to connect accounts. The returned URL is a page of ours, which names the workspace and binds the attempt to
 * the browser. The state cannot be guessed, and the table holds only its digest.
 *
 * @throws HeraldError `invalid` (field `platform`) if the platform is not supported yet, (field `as`) if the platform does not
 *   distinguish members and organizations, (field `redirectUrl`) if it is missing for an attempt with `claim`, if the workspace
 *   does not allow its host, or if a person does not return to the panel; (field `claim`) if a person begins without it;
 *   `unavailable` if the platform's credentials are missing
 */
export async function beginConnection(
  context: Context & ConnectionPorts & { readonly stageFeatures: StageFeatures },
  platform: Platform,
  { redirectUrl, as, externalId, claim }: BeginConnectionBody,
): Promise<BegunConnection> {
  const { table, workspaceId } = context;
  if (as !== undefined && platform !== 'linkedin')
    throw invalidField('as', 'is for linkedin only', 'contradictory_fields');
  if (context.actor.kind === 'person' && !claim)
    throw invalidField(
      'claim',
      'must be true in the panel, so that only the session that begins can connect',
      'invalid',
    );
  if (claim && redirectUrl === undefined)
    throw invalidField(
      'redirectUrl',
      'is required with claim, because it receives the code',
      'field_required',
    );
  const authorization = context.authorizationFor(platform, as);
  if (!authorization)
    throw invalidField('platform', `${platform} cannot be connected yet`, 'platform_unsupported');
  // Fails here rather than on the page, because the operator's mistake does not concern the client's user.
  const [{ redirectHosts }, { app }] = await Promise.all([
    getWorkspace(table, workspaceId),
    context.toolsFor(platform),
  ]);
  const features = authorization.featuresWith?.(app) ?? authorization.features;
  if (redirectUrl !== undefined) requireAllowed(context, redirectUrl, redirectHosts);
  const state = randomToken(43);
  const expiresAt = toTimestamp(context.now + patienceMs);
  const codeVerifier = authorization.usesPkce ? randomToken(64) : undefined;
  const connection = {
    workspaceId,
    platform,
    as,
    redirectUrl,
    externalId,
    claim: claim || undefined,
    sessionId: sessionOf(context.actor),
    begunBy: { actor: referenceTo(context.actor), requestId: context.requestId },
    codeVerifier,
    scopes: scopesToRequest(features, context.stageFeatures[platform]),
    expiresAt,
  };
  await insertConnection(table, state, connection, [
    auditPart(context, { id: attemptId(state), name: platformTitles[platform] }),
  ]);
  return { authUrl: pageUrl(context, 'begin', platform, state), state, expiresAt };
}

/**
 * Checks the redirect. A person may return only to the panel, which needs no permission of the operator.
 *
 * @throws HeraldError `invalid` (field `redirectUrl`)
 */
function requireAllowed(
  { actor, panelOrigin }: Context,
  redirectUrl: string,
  redirectHosts: readonly string[] | undefined,
): void {
  const isPerson = actor.kind === 'person';
  if (isPerson ? new URL(redirectUrl).origin === panelOrigin : isHostAllowed(redirectUrl, redirectHosts))
    return;
  throw invalidField(
    'redirectUrl',
    isPerson
      ? 'must be a page of the panel'
      : 'its host is not one that the operator has allowed for this workspace',
    'redirect_host_not_allowed',
  );
}
