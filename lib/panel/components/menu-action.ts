import type { IconName } from './icon.tsx';

export interface MenuAction {
  readonly id: string;
  /** Begins with a verb. */
  readonly name: string;
  readonly note?: string | undefined;
  readonly icon?: IconName | undefined;
  readonly isDangerous?: boolean | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly run?: (() => void) | undefined;
  /** A page, instead of `run`. */
  readonly href?: string | undefined;
  readonly isInNewTab?: boolean | undefined;
}

export interface MenuSection {
  readonly title: string;
  readonly actions: readonly MenuAction[];
  /** If one of them is chosen: its id. */
  readonly chosen?: string | undefined;
}
