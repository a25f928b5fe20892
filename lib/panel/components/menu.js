import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { lazy, Suspense, useRef, useState } from 'react';
import { ButtonContext } from 'react-aria-components/Button';
export const loadMenu = () => import('./menu-popover.tsx');
const MenuPopover = lazy(loadMenu);
/** A button with a menu. The code of the open menu is loaded once it is needed. */
export function Menu({ trigger, label, placement = 'bottom end', actions = [], sections = [] }) {
    const [state, setState] = useState('closed');
    const button = useRef(null);
    return (_jsxs(_Fragment, { children: [_jsx(ButtonContext, { value: {
                    ref: button,
                    'aria-haspopup': 'menu',
                    'aria-expanded': state !== 'closed',
                    onHoverStart: () => void loadMenu(),
                    onFocus: () => void loadMenu(),
                    onPress: ({ pointerType }) => setState(pointerType === 'keyboard' || pointerType === 'virtual' ? 'by-keyboard' : 'by-pointer'),
                    onKeyDown: (event) => {
                        if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
                            setState('by-keyboard');
                        else
                            event.continuePropagation();
                    },
                }, children: trigger }), state !== 'closed' && (_jsx(Suspense, { children: _jsx(MenuPopover, { label: label, triggerRef: button, placement: placement, actions: actions, sections: sections, isFirstFocused: state === 'by-keyboard', onClose: () => setState('closed') }) }))] }));
}
