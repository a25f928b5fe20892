import { lazy, type ReactElement, Suspense, useEffect, useRef, useState } from 'react';
import { ButtonContext } from 'react-aria-components/Button';
import type { MenuAction, MenuSection } from './menu-action.ts';
import type { MenuPopoverProps } from './menu-popover.tsx';

interface MenuProps {
  trigger: ReactElement;
  label: string;
  placement?: MenuPopoverProps['placement'];
  actions?: readonly MenuAction[];
  sections?: readonly MenuSection[];
}

export const loadMenu = () => import('./menu-popover.tsx');
const MenuPopover = lazy(loadMenu);

type State = 'closed' | 'by-pointer' | 'by-keyboard';

/** A button with a menu. The code of the open menu is loaded once it is needed. */
export function Menu({ trigger, label, placement = 'bottom end', actions = [], sections = [] }: MenuProps) {
  const [state, setState] = useState<State>('closed');
  const button = useRef<HTMLButtonElement>(null);
  const chosen = useRef<() => void>(undefined);
  useEffect(() => {
    if (state !== 'closed' || chosen.current === undefined) return;
    // A dialog that it opens gives the focus back to what has it now.
    button.current?.focus();
    chosen.current();
    chosen.current = undefined;
  }, [state]);
  return (
    <>
      <ButtonContext
        value={{
          ref: button,
          'aria-haspopup': 'menu',
          'aria-expanded': state !== 'closed',
          onHoverStart: () => void loadMenu(),
          onFocus: () => void loadMenu(),
          onPress: ({ pointerType }) =>
            setState(pointerType === 'keyboard' || pointerType === 'virtual' ? 'by-keyboard' : 'by-pointer'),
          onKeyDown: (event) => {
            if (event.key === 'ArrowDown' || event.key === 'ArrowUp') setState('by-keyboard');
            else event.continuePropagation();
          },
        }}
      >
        {trigger}
      </ButtonContext>
      {state !== 'closed' && (
        <Suspense>
          <MenuPopover
            label={label}
            triggerRef={button}
            placement={placement}
            actions={actions}
            sections={sections}
            isFirstFocused={state === 'by-keyboard'}
            onChoose={(run) => {
              chosen.current = run;
            }}
            onClose={() => setState('closed')}
          />
        </Suspense>
      )}
    </>
  );
}
