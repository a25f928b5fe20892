import type { PersonActor } from '../../lib/access/actor.ts';
import { isInWorkspace, type Operation } from '../../lib/api-contract/operation.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import { HeraldError, invalidField, notFound } from '../../lib/kernel/errors.ts';
import { canonicalId, isId } from '../../lib/kernel/ids.ts';
import { type FoundSession, findSession, recordSessionUse } from '../../lib/people/find-session.ts';
import { isCheckDue, isCheckOverdue } from '../../lib/people/session-age.ts';
import type { SessionValue } from '../../lib/people/session-value.ts';
import type { Table } from '../../lib/table/table.ts';
import { addLogKeys, logger } from '../wire/logger.ts';
import type { RequestSessionCheck } from '../wire/session-check.ts';
import type { PanelEdge, RatesPerMinute } from '../wire/settings.ts';
import {
  type AdmittedCaller,
  Authenticator,
  type ReadOther,
  refuseSuspended,
  requireAllowed,
} from './authenticate.ts';
import { sessionOf } from './cookies.ts';
import { KeyUseRecorder, type UsingEvent } from './key-use.ts';
import { addressOf, isFromPanel, type PanelRequest, panelRequest } from './panel-request.ts';
import { type CountedEvent, RequestLimits } from './rate-limits.ts';
import { requestIdOf } from './route.ts';

/** A request with its caller, if its operation needs one. */
export interface AdmittedEvent extends CountedEvent, UsingEvent {
  now?: number;
  /** Present if the operation acts in a workspace. */
  caller?: WorkspaceCaller;
  /** Present if the request has a session. */
  signedIn?: SignedIn;
}

/** The caller and the workspace in which it acts. */
export interface WorkspaceCaller extends Omit<AdmittedCaller, 'counted' | 'actor'> {
  readonly actor: AdmittedCaller['actor'] | PersonActor;
  readonly panelOrigin?: string;
}

/** The session of a request, and the panel that it comes from. */
export interface SignedIn extends FoundSession {
  readonly panel: PanelRequest;
}

/** The session that a request names, before anything is read. */
interface Asked {
  readonly value: SessionValue;
  readonly panel: PanelRequest;
}

export interface AdmissionDependencies {
  readonly table: Table;
  readonly ratesPerMinute: RatesPerMinute;
  readonly panelEdge: PanelEdge;
  readonly requestSessionCheck: RequestSessionCheck;
}

/** The maximum number of sessions that an instance remembers. */
const maxSessions = 5_000;

/**
 * Decides who sends a request, counts it for that caller, and refuses what the caller may not do. Panel requests have a session;
 * all others have an API key. Requests with neither count for their address. What an agent may do is decided for each operation that
 * it calls.
 */
export class Admission {
  readonly #op: Operation;
  readonly #table: Table;
  readonly #edge: PanelEdge;
  readonly #limits: RequestLimits;
  readonly #requestCheck: RequestSessionCheck;
  readonly #keys: Authenticator;
  readonly #keyUses: KeyUseRecorder;
  /** The digests of sessions that this instance has found. They are read each time all the same. */
  readonly #sessions = new Set<string>();

  /** @param readOther reads credentials of agents that are no API keys */
  constructor(op: Operation, dependencies: AdmissionDependencies, readOther?: ReadOther) {
    const { table, ratesPerMinute, panelEdge, requestSessionCheck } = dependencies;
    this.#op = op;
    this.#table = table;
    this.#edge = panelEdge;
    this.#limits = new RequestLimits(table, ratesPerMinute);
    this.#requestCheck = requestSessionCheck;
    this.#keys = new Authenticator(table, readOther);
    this.#keyUses = new KeyUseRecorder(table);
  }

  /** @throws HeraldError if the request is refused */
  async admit(event: AdmittedEvent): Promise<void> {
    const now = systemClock();
    event.now = now;
    const panel = panelRequest(event.headers, this.#edge);
    const { access } = this.#op;
    if (access === 'agent') await this.#admitAgent(event, panel, now);
    else if (access === 'key-by-call') await this.#admitKeyByCall(event, panel, now);
    else if (access === 'key' && !panel) await this.#require(event, await this.#admitKey(event, now), now);
    else if (isInWorkspace(access) || access === 'session') await this.#admitPerson(event, panel, now);
    else await this.#limits.countAddress(event, addressOf(event, panel), now);
  }

  /** First refuses a key that this instance has seen over a limit in this minute, which costs nothing. */
  async #admitKey(event: AdmittedEvent, now: number): Promise<WorkspaceCaller> {
    const { authorization } = event.headers;
    const known = this.#keys.cached(authorization, now);
    if (known) this.#limits.refuseSeenOver(event, known, now);
    await this.#limits.countAddress(event, addressOf(event, undefined), now);
    const { counted, ...caller } = await this.#keys.authenticate(authorization, now);
    addLogKeys({ workspaceId: caller.workspaceId, keyId: caller.actor.id });
    await this.#limits.countCaller(event, counted, now);
    this.#keyUses.begin(event, caller.actor.id, now);
    return caller;
  }

  /** Admits a key like any other request. What it may do is decided for each operation that is called. */
  async #admitKeyByCall(event: AdmittedEvent, panel: PanelRequest | undefined, now: number): Promise<void> {
    if (panel) {
      await this.#limits.countAddress(event, addressOf(event, panel), now);
      throw keyInPanel();
    }
    event.caller = await this.#admitKey(event, now);
  }

  /**
   * Credentials count for their key only, at least by the limit of an address: hosted agents of many customers share addresses. That
   * includes those that have expired, as every access token does. Unknown ones count for their address. Once that is over its limit,
   * no credentials are looked up that this instance has not found before.
   */
  async #admitAgent(event: AdmittedEvent, panel: PanelRequest | undefined, now: number): Promise<void> {
    const { authorization } = event.headers;
    const address = addressOf(event, panel);
    if (panel) {
      await this.#limits.countAddress(event, address, now);
      throw keyInPanel();
    }
    const known = this.#keys.cached(authorization, now);
    if (known) this.#limits.refuseAgentSeenOver(event, known, now);
    else if (!this.#keys.wasFound(authorization)) this.#limits.refuseAddressSeenOver(event, address, now);
    let found: AdmittedCaller;
    try {
      found = await this.#keys.authenticate(authorization, now);
    } catch (error) {
      if (!(error instanceof HeraldError)) throw error;
      const refused = this.#keys.cached(authorization, now);
      if (refused) await this.#limits.countAgent(event, refused, now);
      else await this.#limits.countAddress(event, address, now);
      throw error;
    }
    const { counted, ...caller } = found;
    addLogKeys({ workspaceId: caller.workspaceId, keyId: caller.actor.id });
    await this.#limits.countAgent(event, counted, now);
    this.#keyUses.begin(event, caller.actor.id, now);
    event.caller = caller;
  }

  /**
   * A session that this instance has found before counts for itself, so that many people can work behind one address. All other
   * requests count for their address before anything is read: whoever makes sessions up must not cost a read each time.
   */
  async #admitPerson(event: AdmittedEvent, panel: PanelRequest | undefined, now: number): Promise<void> {
    const address = addressOf(event, panel);
    const asked = this.#sessionIn(event, panel);
    const isError = asked instanceof HeraldError;
    if (!isError) this.#limits.refuseSessionSeenOver(event, asked.value.digest, now);
    if (isError && asked.code === 'cross_site') await this.#limits.countOtherSite(event, address, now);
    else if (isError || !this.#sessions.has(asked.value.digest))
      await this.#limits.countAddress(event, address, now);
    if (isError) throw asked;
    const found = await this.#find(event, asked, now);
    if (!found) {
      const wasKnown = this.#sessions.delete(asked.value.digest);
      if (wasKnown) await this.#limits.countAddress(event, address, now);
      throw sessionEnded();
    }
    this.#remember(found.digest);
    addLogKeys({ personId: found.session.personId });
    // Before the check: it costs more than any other request, and one that fails must not be free.
    await this.#limits.countSession(event, found.digest, now);
    const signedIn = await this.#checked(event, asked, found, now);
    const use = recordSessionUse(this.#table, signedIn, now);
    if (use) event.use = use.catch(reportLost);
    event.signedIn = signedIn;
    if (!isInWorkspace(this.#op.access)) return;
    workspaceIdOf(event);
    const caller = personIn(signedIn);
    addLogKeys({ workspaceId: caller.workspaceId });
    refuseSuspended(signedIn.place?.workspace.suspendedAt);
    await this.#require(event, caller, now);
  }

  /** Returns the session that the request names, without a read; the error if it names none, or another site has sent it. */
  #sessionIn(event: AdmittedEvent, panel: PanelRequest | undefined): Asked | HeraldError {
    if (!panel) return missing();
    if (event.headers['authorization'] !== undefined) return keyInPanel();
    const value = sessionOf(event);
    if (!value) return missing();
    if (!isFromPanel(event.requestContext.http.method, event.headers, panel))
      return new HeraldError('cross_site', 'only pages of the panel may send this request');
    return { value, panel };
  }

  async #find(event: AdmittedEvent, { value, panel }: Asked, now: number): Promise<SignedIn | undefined> {
    const workspaceId = isInWorkspace(this.#op.access) ? givenWorkspaceId(event) : undefined;
    const known = workspaceId !== undefined && isId(workspaceId) ? workspaceId : undefined;
    const found = await findSession(this.#table, value, known, now);
    return found && { ...found, panel };
  }

  /**
   * Has the session checked at the identity provider if that is due, and reads it again.
   *
   * @throws HeraldError `session_ended`; `unavailable` if it could not be checked for too long
   */
  async #checked(event: AdmittedEvent, asked: Asked, found: SignedIn, now: number): Promise<SignedIn> {
    if (this.#op.servesUnchecked || !isCheckDue(found.session, now)) return found;
    await this.#requestCheck(event, asked.panel.origin).catch(reportUnchecked);
    const checked = await this.#find(event, asked, now);
    if (!checked) throw sessionEnded();
    if (isCheckOverdue(checked.session, now))
      throw new HeraldError('unavailable', 'the session could not be checked in time; try again', {
        retryAfterSeconds: 1,
      });
    return checked;
  }

  #remember(digest: string): void {
    if (this.#sessions.size >= maxSessions) this.#sessions.clear();
    this.#sessions.add(digest);
  }

  async #require(event: AdmittedEvent, caller: WorkspaceCaller, now: number): Promise<void> {
    const { verb } = this.#op;
    if (verb === undefined) throw new Error(`${this.#op.id} acts in a workspace and has no verb`);
    await requireAllowed({ ...caller, table: this.#table, verb, requestId: requestIdOf(event), now });
    event.caller = caller;
  }
}

const sessionEnded = () => new HeraldError('session_ended', 'the session has ended; sign in again');

const keyInPanel = () =>
  new HeraldError('key_in_panel', 'Authorization: API keys are for the address of the API');

const missing = () => new HeraldError('session_missing', 'sign in to the panel first');

const givenWorkspaceId = ({ headers }: AdmittedEvent): string | undefined =>
  headers['x-workspace'] === undefined ? undefined : canonicalId(headers['x-workspace']);

/** @throws HeraldError `invalid` if the request does not name a workspace */
function workspaceIdOf(event: AdmittedEvent): string {
  const workspaceId = givenWorkspaceId(event);
  if (workspaceId === undefined)
    throw invalidField('X-Workspace', 'must be the id of a workspace', 'field_required');
  if (!isId(workspaceId)) throw invalidField('X-Workspace', 'must be the id of a workspace', 'field_format');
  return workspaceId;
}

/** @throws HeraldError `not_found` if the workspace does not exist or the person is not a member: callers cannot tell which */
function personIn({ session, place, panel }: SignedIn): WorkspaceCaller {
  if (!place) throw notFound('workspace');
  const { workspace, membership } = place;
  const actor: PersonActor = {
    kind: 'person',
    id: session.personId,
    role: membership.role,
    sessionId: session.id,
    signedInAt: session.provedAt === undefined ? 0 : Date.parse(session.provedAt),
  };
  const { id: workspaceId, cursorSecret } = workspace;
  return { workspaceId, cursorSecret, actor, panelOrigin: panel.origin };
}

const reportUnchecked = (error: unknown): void => logger.warn('a session was not checked', error as Error);

const reportLost = (error: unknown): void =>
  logger.warn('the use of the session was not recorded', error as Error);
