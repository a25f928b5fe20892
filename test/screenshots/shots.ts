import type { Scene } from './scene.ts';

/** A picture for the documents. */
export interface Shot {
  /** The file in `docs/images`, without its ending. */
  readonly name: string;
  readonly path: (scene: Scene) => string;
  readonly width: number;
  readonly height: number;
  readonly scheme: 'light' | 'dark';
  /** True if an account is to lose its access first. Such a picture is the last one. */
  readonly isInTrouble?: boolean;
}

const wide = { width: 1_280, height: 800 };
const phone = { width: 390, height: 844 };

/** The posts of the scene are in the days that follow. */
const daysAfter = ({ now }: Scene, days: number) =>
  new Date(now + days * 86_400_000).toISOString().slice(0, 10);

export const shots: readonly Shot[] = [
  { name: 'now', path: () => '/', ...wide, scheme: 'light' },
  {
    name: 'calendar',
    path: (scene) => `/calendar?view=month&day=${daysAfter(scene, 3)}`,
    ...wide,
    scheme: 'light',
  },
  { name: 'composer', path: ({ plannedPostId }) => `/posts/${plannedPostId}/edit`, ...wide, scheme: 'light' },
  { name: 'post', path: ({ livePostId }) => `/posts/${livePostId}`, ...wide, scheme: 'dark' },
  {
    name: 'automation',
    path: ({ automationId }) => `/automations/${automationId}`,
    ...wide,
    scheme: 'light',
  },
  { name: 'developers', path: () => '/developers/endpoints', ...wide, scheme: 'light' },
  { name: 'agenda-phone', path: () => '/calendar?view=agenda', ...phone, scheme: 'light' },
  { name: 'attention', path: () => '/', ...wide, scheme: 'light', isInTrouble: true },
];
