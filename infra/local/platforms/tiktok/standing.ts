import type { Workbench } from '../kit/types.ts';
import type { State, User } from './state.ts';

export type Obstacle =
  | 'spam_risk_too_many_posts'
  | 'spam_risk_user_banned_from_posting'
  | 'reached_active_user_cap';

/** Tells if a creator may post now, and if not, the error code. */
export interface Standing {
  obstacle(user: User, at: number): Obstacle | undefined;
}

const dayMs = 86_400_000;

/** Enforces the caps of the last 24 hours: posts per creator, and creators who post with this app. */
export function openStanding({ limit, setting }: Workbench, { publishes }: State): Standing {
  function hasReachedUserCap({ username }: User, at: number): boolean {
    const active = new Set(
      publishes
        .list({ since: at - dayMs + 1 })
        .filter(({ end }) => end?.postId !== undefined)
        .map((publish) => publish.username),
    );
    active.add(username);
    return active.size > limit(setting('unaudited') === true ? 'unauditedUsersPerDay' : 'usersPerDay');
  }

  return {
    obstacle(user, at) {
      if (user.isBanned) return 'spam_risk_user_banned_from_posting';
      const posted = publishes
        .list({ owner: user.username, since: at - dayMs + 1 })
        .filter(({ isDraft, end }) => isDraft !== true && end?.postId !== undefined);
      if (posted.length >= limit('postsPerDay')) return 'spam_risk_too_many_posts';
      return hasReachedUserCap(user, at) ? 'reached_active_user_cap' : undefined;
    },
  };
}
