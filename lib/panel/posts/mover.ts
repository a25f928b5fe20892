import { createStore } from '../api/store.ts';
import { type Move, moved, undoing } from './move.ts';
import type { ListedPost } from './post.ts';

interface Outcome {
  readonly post: ListedPost;
}

interface Hooks<Reply extends Outcome> {
  readonly send: (move: Move) => Promise<Reply>;
  readonly onDone: (move: Move, reply: Reply) => void;
  readonly onFailed: (move: Move, error: unknown) => void;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** What is shown of a post instead of what the list says. */
interface Shown {
  readonly post: ListedPost;
  /** Until then it counts whatever the list says; `undefined` while the service has not answered. */
  readonly until: number | undefined;
}

/** Lists may be this much behind. */
const listDelayMs = 20_000;

/**
 * Moves posts: each is shown at its new time at once, and back at its old one if the service refuses. Moves of one post are sent one
 * after the other; those that follow each other quickly, such as from a key that is held down, are sent as one.
 */
export class Mover<Reply extends Outcome> {
  /** Posts by id. */
  readonly shown = createStore<ReadonlyMap<string, Shown>>(new Map());
  private readonly waiting = new Map<string, { move: Move; timer: ReturnType<typeof setTimeout> }>();
  /** As the service has answered last, by id. */
  private readonly stored = new Map<string, ListedPost>();
  private readonly last = new Map<string, Promise<void>>();
  private readonly hooks: Hooks<Reply>;

  constructor(hooks: Hooks<Reply>) {
    this.hooks = hooks;
  }

  /** @param settleMs how long to wait for further moves of the post before it is sent */
  move(move: Move, settleMs = 0): void {
    const { id } = move.post;
    const before = this.waiting.get(id);
    if (before !== undefined) clearTimeout(before.timer);
    const continues = before !== undefined && before.move.to === move.from && sameTargets(before.move, move);
    if (before !== undefined && !continues) this.send(id);
    const joined = continues ? { ...before.move, to: move.to, remark: move.remark } : move;
    this.show(id, { post: moved(joined), until: undefined });
    this.waiting.set(id, { move: joined, timer: setTimeout(() => this.send(id), settleMs) });
  }

  /** Takes a move back, from wherever its post is by now. @param post as the service has answered to the move */
  undo(move: Move, post: ListedPost): void {
    const { id } = post;
    const shown = this.shown.get().get(id);
    const present = shown?.until === undefined ? shown?.post : undefined;
    this.move(undoing(move, present ?? this.stored.get(id) ?? post));
  }

  /** Sends what waits, such as when the page is left. */
  flush(): void {
    for (const id of [...this.waiting.keys()]) this.send(id);
  }

  /** The posts of a list with what was moved since it was read. Pure but for the clock. */
  overlay(posts: readonly ListedPost[], shown: ReadonlyMap<string, Shown>): readonly ListedPost[] {
    if (shown.size === 0) return posts;
    const now = this.hooks.now();
    const counts = ({ until, post }: Shown, listed?: ListedPost) =>
      until === undefined || (until > now && (listed === undefined || listed.updatedAt < post.updatedAt));
    const listed = new Set(posts.map(({ id }) => id));
    const missing = [...shown.values()].filter((each) => !listed.has(each.post.id) && counts(each));
    return [
      ...posts.map((post) => {
        const own = shown.get(post.id);
        return own !== undefined && counts(own, post) ? own.post : post;
      }),
      ...missing.map(({ post }) => post),
    ];
  }

  private send(id: string): void {
    const waiting = this.waiting.get(id);
    if (waiting === undefined) return;
    clearTimeout(waiting.timer);
    this.waiting.delete(id);
    const { move } = waiting;
    // Moved there and back: nothing changes.
    if (move.from === move.to) {
      this.show(id, undefined);
      return;
    }
    const sent: Promise<void> = (this.last.get(id) ?? Promise.resolve()).then(() =>
      this.settle(id, move, sent),
    );
    this.last.set(id, sent);
  }

  private async settle(id: string, move: Move, sent: Promise<void>): Promise<void> {
    const isLatest = () => this.last.get(id) === sent && !this.waiting.has(id);
    try {
      const reply = await this.hooks.send(move);
      this.stored.set(id, reply.post);
      if (isLatest()) this.show(id, { post: reply.post, until: this.hooks.now() + listDelayMs });
      this.hooks.onDone(move, reply);
    } catch (error) {
      if (isLatest()) this.show(id, undefined);
      this.hooks.onFailed(move, error);
    }
  }

  private show(id: string, shown: Shown | undefined): void {
    const next = new Map(this.shown.get());
    if (shown === undefined) next.delete(id);
    else next.set(id, shown);
    this.shown.set(next);
  }
}

const sameTargets = (one: Move, other: Move) => String(one.accountIds) === String(other.accountIds);
