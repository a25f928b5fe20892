import { minuteMs, secondMs } from '../../lib/kernel/clock.ts';
import { HeraldError } from '../../lib/kernel/errors.ts';
import { createPost, type PostsContext } from '../../lib/posts/create.ts';
import { editPost } from '../../lib/posts/edit.ts';
import { removePost } from '../../lib/posts/remove.ts';
import { CreatePostBody, EditPostBody } from '../../lib/posts/request/schemas.ts';
import { retryPost } from '../../lib/posts/retry.ts';
import type { Checks } from './checks.ts';
import { rulesFor, type Service } from './service.ts';
import type { World } from './world.ts';

/** The result of a request: its answer, a refusal, or no reply. */
type Reply<Answer> =
  | { readonly answer: Answer }
  | { readonly refused: HeraldError }
  | { readonly lost: true };

const apiTimeoutMs = 29 * secondMs;

export interface PlannedPost {
  readonly workspaceId: string;
  /** A unique name, which the texts contain. */
  readonly name: string;
  readonly body: object;
  readonly content: string;
  readonly atMs: number;
  readonly actions: readonly PlannedAction[];
}

export type PlannedAction =
  | { readonly kind: 'edit'; readonly atMs: number; readonly content?: string; readonly patch: object }
  | { readonly kind: 'delete'; readonly atMs: number }
  | { readonly kind: 'retry'; readonly atMs: number };

/** Clients of the API. Each sends its requests one after the other, and records what every answer promises. */
export function createClients(world: World, service: Service, checks: Checks) {
  async function request<Answer>(
    name: string,
    workspaceId: string,
    work: (context: PostsContext) => Promise<Answer>,
  ): Promise<Reply<Answer>> {
    let reply: Reply<Answer> = { lost: true };
    await world.invoke({ name, workspaceId, timeoutMs: apiTimeoutMs }, async (process) => {
      const context: PostsContext = {
        table: service.tableFor(process),
        workspaceId,
        keyId: 'key',
        cursorSecret: '',
        now: world.now(),
        mediaBaseUrl: 'https://media.example.com',
        rulesFor,
        newId: world.newId,
      };
      try {
        reply = { answer: await work(context) };
      } catch (error) {
        if (!(error instanceof HeraldError)) throw error;
        reply = { refused: error };
      }
    });
    return reply;
  }

  /** Creates the post, with retries until there is an answer, and then runs its planned actions. */
  async function run(plan: PlannedPost): Promise<void> {
    const { workspaceId, name } = plan;
    const body = CreatePostBody.parse({ ...plan.body, content: plan.content, idempotencyKey: name });
    for (let tries = 1; ; tries += 1) {
      const reply = await request('create', workspaceId, (context) =>
        createPost(context, body, { rawBody: '' }),
      );
      if ('answer' in reply) {
        const postId = reply.answer.post.id;
        checks.promised.set(postId, {
          postId,
          workspaceId,
          contents: new Set([plan.content]),
          ownContents: new Set(body.platforms?.flatMap(({ customContent }) => customContent ?? [])),
          isDeleted: false,
        });
        for (const action of plan.actions) schedule(action, workspaceId, postId);
        return;
      }
      // A later try may be refused rightly: the scheduled time may have passed.
      if ('refused' in reply && tries === 1) world.violate(`${name} was refused: ${reply.refused.message}`);
      if ('refused' in reply || tries === 8) return;
      await pause(world.random.between(secondMs, 10 * secondMs));
    }
  }

  const pause = (milliseconds: number) =>
    new Promise<void>((resolve) => world.clockwork.after(milliseconds, () => resolve()));

  const queues = new Map<string, Promise<void>>();

  function schedule(action: PlannedAction, workspaceId: string, postId: string): void {
    world.clockwork.at(action.atMs, () => {
      const before = queues.get(postId) ?? Promise.resolve();
      queues.set(
        postId,
        before.then(() => act(action, workspaceId, postId)),
      );
    });
  }

  async function act(action: PlannedAction, workspaceId: string, postId: string): Promise<void> {
    const promised = checks.promised.get(postId);
    if (!promised || promised.isDeleted) return;
    switch (action.kind) {
      case 'edit': {
        const patch = EditPostBody.parse({ ...action.patch, content: action.content });
        const old = promised.contents;
        const { content } = action;
        if (content !== undefined) promised.contents = new Set([...old, content]);
        const reply = await request('edit', workspaceId, (context) => editPost(context, postId, patch));
        if (content === undefined) return;
        if ('answer' in reply) promised.contents = new Set([content]);
        if ('refused' in reply) promised.contents = old;
        return;
      }
      case 'delete': {
        const reply = await request('delete', workspaceId, (context) => removePost(context, postId));
        if ('answer' in reply || ('refused' in reply && reply.refused.code === 'not_found'))
          promised.isDeleted = true;
        // The client retries until it gets an answer.
        if ('lost' in reply)
          schedule(
            { ...action, atMs: world.now() + world.random.between(secondMs, minuteMs) },
            workspaceId,
            postId,
          );
        return;
      }
      case 'retry':
        await request('retry', workspaceId, (context) => retryPost(context, postId));
    }
  }

  return { run };
}
