import { disconnectAccount } from '../../../lib/accounts/disconnect.ts';
import { minuteMs, secondMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { sleep } from '../../../lib/kernel/retry.ts';
import { endPause, putPause } from '../../../lib/pauses/manage.ts';
import type { PauseScope } from '../../../lib/pauses/scope.ts';
import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import { authorizationFor } from '../../../lib/platforms/registry/authorizations.ts';
import { createPost } from '../../../lib/posts/create.ts';
import { editPost } from '../../../lib/posts/edit.ts';
import { removePost } from '../../../lib/posts/remove.ts';
import { CreatePostBody, EditPostBody } from '../../../lib/posts/request/schemas.ts';
import { retryPost } from '../../../lib/posts/retry.ts';
import { countWaitingSteps } from '../../../lib/posts/stored/chain-steps.ts';
import { unpublishPost } from '../../../lib/posts/unpublish.ts';
import { deleteWorkspace } from '../../../lib/workspaces/suspension.ts';
import { operatorAct } from '../../support/acts.ts';
import type { EventReaders } from '../judge/event-feed.ts';
import type { PeopleLog } from '../judge/people-log.ts';
import type { Promised, Promises } from '../judge/promises.ts';
import type { LiveEntry } from '../platforms/platforms.ts';
import { createBody, entriesOf, type Files, filesOf, textOf } from './bodies.ts';
import { connectAccount } from './connect.ts';
import { createEventConsumer } from './events.ts';
import { createPeople } from './people.ts';
import type {
  PlannedAction,
  PlannedDisconnect,
  PlannedInterruption,
  PlannedPause,
  PlannedPost,
} from './plan.ts';
import { type ApiContext, type Request, requestsOf } from './requests.ts';
import type { ReadyWorkspace, SetupPorts } from './setup.ts';
import { createUploads } from './uploads.ts';

const maxTries = 8;

/** The duration of a pause that interrupts a run. */
const interruptionMs = 5 * minuteMs;

/** Notes of clients and people for the judge. */
interface Notes {
  readonly promises: Promises;
  readonly people: PeopleLog;
  readonly feed: EventReaders;
}

/** The systems of one customer. They send requests one after the other, and note what every answer promises. */
export function createClient(
  ports: SetupPorts,
  { promises, people: log, feed }: Notes,
  workspace: ReadyWorkspace,
) {
  const { world, service, platforms } = ports;
  const served = requestsOf(ports, workspace.id);
  let isDeleted = false;
  /** Sends a request. The keys of a deleted workspace are refused, so its systems do nothing more. */
  const request: Request = (name, work) => (isDeleted ? new Promise(() => {}) : served(name, work));
  const people = createPeople(ports, log, workspace, request);
  const uploaded = createUploads(world, service, request);
  const pause = (milliseconds: number) =>
    new Promise<void>((resolve) => world.clockwork.after(milliseconds, () => resolve()));

  /** Uploads what the post needs, creates it, with retries until there is an answer, and runs its planned actions. */
  async function publish(post: PlannedPost): Promise<void> {
    const files = await uploaded(filesOf(post, workspace));
    const body = CreatePostBody.parse(createBody(post, workspace, files));
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const reply = await request(`create ${post.name}`, (context) =>
        createPost({ ...context, newId: world.newId }, body, { rawBody: '' }),
      );
      if ('answer' in reply) {
        const { id: postId } = reply.answer.post;
        promises.set(postId, {
          postId,
          workspaceId: workspace.id,
          contents: new Set([textOf(post)]),
          ownContents: new Set(ownTexts(body.platforms)),
          destinations: destinationsOf(body.platforms),
          dueAt: dueTimesOf(body, world.now() + world.clockSkewMs),
          isDeleted: false,
        });
        created.push({ post, postId, files });
        for (const action of post.actions) plan(action, post, postId, files);
        return;
      }
      if ('refused' in reply) {
        if (!isExpected(reply.refused.message))
          world.violate(`${post.name} was refused: ${reply.refused.message}`);
        return;
      }
      await pause(world.random.between(secondMs, 10 * secondMs));
    }
  }

  const created: { readonly post: PlannedPost; readonly postId: string; readonly files: Files }[] = [];
  const queues = new Map<string, Promise<void>>();

  function plan(action: PlannedAction, post: PlannedPost, postId: string, files: Files): void {
    world.clockwork.at(action.atMs, () => {
      const before = queues.get(postId) ?? Promise.resolve();
      queues.set(
        postId,
        before.then(() => act(action, post, postId, files)),
      );
    });
  }

  async function act(action: PlannedAction, post: PlannedPost, postId: string, files: Files): Promise<void> {
    const promised = promises.get(postId);
    if (!promised || promised.isDeleted) return;
    switch (action.kind) {
      case 'edit': {
        const content = `${textOf(post)} edited ${post.actions.indexOf(action)}`;
        const { dueMs, targets } = action;
        const patch = EditPostBody.parse({
          content,
          ...(dueMs !== undefined && { scheduledFor: toTimestamp(dueMs) }),
          ...(targets && { platforms: entriesOf(post, targets, workspace, files) }),
        });
        const { contents, ownContents, destinations, dueAt } = promised;
        const own = patch.platforms ? ownTexts(patch.platforms) : ownContents;
        promised.contents = new Set([...contents, content]);
        promised.ownContents = new Set([...ownContents, ...own]);
        promised.dueAt = undefined;
        if (patch.platforms) promised.destinations = undefined;
        const reply = await request(`edit ${post.name}`, (context) => editPost(context, postId, patch));
        if ('answer' in reply) {
          const moved = patch.platforms ? destinationsOf(patch.platforms) : destinations;
          Object.assign(promised, {
            contents: new Set([content]),
            ownContents: new Set(own),
            destinations: moved,
          });
        }
        if ('refused' in reply) Object.assign(promised, { contents, ownContents, destinations, dueAt });
        return;
      }
      case 'delete': {
        const reply = await request(`delete ${post.name}`, (context) => removePost(context, postId));
        if ('answer' in reply || ('refused' in reply && reply.refused.code === 'not_found'))
          promised.isDeleted = true;
        // The client repeats the request until it gets an answer.
        if ('lost' in reply)
          plan(
            { ...action, atMs: world.now() + world.random.between(secondMs, minuteMs) },
            post,
            postId,
            files,
          );
        return;
      }
      case 'retry':
        await retry(promised, `retry ${post.name}`);
        return;
      case 'unpublish':
        for (const account of workspace.accounts) await takeDown(postId, account.id, post.name);
    }
  }

  async function takeDown(postId: string, accountId: string, name: string): Promise<void> {
    const reply = await request(`take ${name} down`, (context) =>
      unpublishPost(context, postId, { accountIds: [accountId] }),
    );
    if ('refused' in reply && !mayNotTakeDown.has(reply.refused.code))
      world.violate(`taking ${name} down was refused: ${reply.refused.message}`);
  }

  async function retry(promised: Promised, name: string): Promise<void> {
    // A retried target is due immediately.
    promised.dueAt = undefined;
    await request(name, (context) => retryPost(context, promised.postId));
  }

  async function disconnect({ account: index }: PlannedDisconnect): Promise<void> {
    const account = workspace.accounts[index];
    if (!account) return;
    await request(`disconnect ${account.platform}`, (context) =>
      disconnectAccount(
        { ...context, sleep, authorizationFor, countWaitingSteps, report: () => undefined },
        account.id,
      ),
    );
  }

  /** Connects an account again, by a new login for each try, and then retries the posts that have failed meanwhile. */
  async function reconnect(index: number): Promise<void> {
    await connectAgain(index);
    for (const promised of promises.values())
      if (promised.workspaceId === workspace.id && !promised.isDeleted)
        await retry(promised, 'retry after connecting');
  }

  async function connectAgain(index: number): Promise<void> {
    const planned = workspace.plan.accounts[index];
    if (!planned) return;
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const reply = await request(`connect ${planned.platform} again`, async (context) => {
        const connectPorts = { ...context, world, platforms };
        try {
          return await connectAccount(connectPorts, workspace.id, planned, workspace.username);
        } catch (error) {
          if (error instanceof PlatformError) return undefined;
          throw error;
        }
      });
      if ('answer' in reply && reply.answer) break;
      await pause(world.random.between(secondMs, 10 * secondMs));
    }
  }

  function scopeOf({ account: index, isOfPlatform }: PlannedPause): PauseScope {
    const account = index === undefined ? undefined : workspace.accounts[index];
    if (!account) return { kind: 'workspace', workspaceId: workspace.id };
    if (isOfPlatform) return { kind: 'platform', platform: account.platform };
    return { kind: 'account', workspaceId: workspace.id, accountId: account.id };
  }

  /** An operator pauses publishing, repeats the command until it is answered, and ends the pause at its time. */
  async function hold(planned: PlannedPause): Promise<void> {
    const scope = scopeOf(planned);
    const reason = 'the simulation pauses it';
    await untilAnswered('pause', (context) =>
      putPause({ ...context, ...operatorAct('pause.begin') }, { scope, reason }),
    );
    world.clockwork.at(planned.endMs, () =>
      world.start(async () => {
        await untilAnswered('resume', (context) =>
          endPause({ ...context, ...operatorAct('pause.end') }, scope),
        );
      }),
    );
  }

  /** Runs an operator's command again and again until it is answered. @returns false if it is refused */
  async function untilAnswered(
    name: string,
    work: (context: ApiContext) => Promise<unknown>,
  ): Promise<boolean> {
    for (;;) {
      const reply = await served(name, work);
      if (!('lost' in reply)) return 'answer' in reply;
      await pause(world.random.between(secondMs, 10 * secondMs));
    }
  }

  /** An operator deletes the workspace. Its grace lasts 30 days. */
  async function remove(): Promise<void> {
    const isDone = await untilAnswered('delete the workspace', ({ table, now }) =>
      deleteWorkspace({ ...operatorAct('workspace.delete'), table, now }, workspace.id),
    );
    if (isDone) isDeleted = true;
    // Another pause of the workspace must end first.
    else world.clockwork.after(minuteMs, () => world.start(remove));
  }

  /** Does something at a moment of the run that is none of the client's own. */
  async function interrupt(kind: PlannedInterruption['act']): Promise<void> {
    const [first] = created;
    switch (kind) {
      case 'edit':
      case 'delete':
        if (first) await act({ kind, atMs: world.now() }, first.post, first.postId, first.files);
        return;
      case 'disconnect':
        for (const account of workspace.accounts.keys()) await disconnect({ account, atMs: world.now() });
        return;
      case 'reconnect':
        for (const account of workspace.accounts.keys()) await connectAgain(account);
        return;
      case 'pause':
        await hold({ atMs: world.now(), endMs: world.now() + interruptionMs });
    }
  }

  return {
    interrupt,
    /** Plans everything that the customer does. */
    async begin(): Promise<void> {
      const { posts, disconnects, pauses = [], deletedMs } = workspace.plan;
      if (deletedMs !== undefined) world.clockwork.at(deletedMs, () => world.start(remove));
      await people.begin();
      createEventConsumer(world, feed, workspace, request).begin();
      for (const post of posts) world.clockwork.at(post.atMs, () => world.start(() => publish(post)));
      for (const each of pauses) world.clockwork.at(each.atMs, () => world.start(() => hold(each)));
      for (const each of disconnects) {
        world.clockwork.at(each.atMs, () => world.start(() => disconnect(each)));
        if (each.againMs !== undefined)
          world.clockwork.at(each.againMs, () => world.start(() => reconnect(each.account)));
      }
      service.receivers.listen(({ type, body }) => {
        if (type !== 'account.expired') return;
        const { account } = body['data'] as { account: { id: string } };
        const index = workspace.accounts.findIndex(({ id }) => id === account.id);
        if (index >= 0)
          world.clockwork.after(world.random.between(0, 10 * minuteMs), () =>
            world.start(() => reconnect(index)),
          );
      });
    },
    onLive: (entry: LiveEntry) => people.onLive(entry),
  };
}

/** The reasons for which a destination may not be taken down at some time of a run. */
const mayNotTakeDown = new Set<string>([
  'account_unknown',
  'call_may_take_effect',
  'changed_concurrently',
  'not_found',
  'post_not_live',
  'post_publishing',
  'removal_by_person',
]);

const ownTexts = (platforms: CreatePostBody['platforms'] = []): string[] =>
  platforms.flatMap(({ customContent }) => customContent ?? []);

const destinationsOf = (platforms: CreatePostBody['platforms'] = []): Set<string> =>
  new Set(platforms.map(({ accountId }) => accountId));

/** The times that the client has asked for. A time that has passed meanwhile becomes the time of the request. */
function dueTimesOf(
  { platforms = [], scheduledFor, publishNow }: CreatePostBody,
  now: number,
): Map<string, string> | undefined {
  if (publishNow || scheduledFor === undefined || scheduledFor === 'auto') return undefined;
  const times = platforms.map((entry) => [entry.accountId, entry.scheduledFor ?? scheduledFor] as const);
  return new Map(times.filter(([, time]) => Date.parse(time) > now));
}

/** A late request may be refused rightly: its time has passed, or its account was disconnected meanwhile. */
const isExpected = (message: string): boolean =>
  /past|disconnected|connect|not found|no such account/.test(message);
