import { IconButton } from '../../../components/icon-button.tsx';
import { Menu } from '../../../components/menu.tsx';
import type { MenuAction } from '../../../components/menu-action.ts';
import { strings as page } from '../strings.ts';
import type { Endpoint } from './endpoint.ts';
import { strings } from './strings.ts';

/** What opens a dialog about an endpoint. */
export type EndpointAction = 'edit' | 'pause' | 'rotate' | 'redeliver' | 'curl' | 'delete';

export interface EndpointMenuProps {
  readonly endpoint: Endpoint;
  readonly onOpen: (action: EndpointAction, endpoint: Endpoint) => void;
}

export function EndpointMenu({ endpoint, onOpen }: EndpointMenuProps) {
  const { url, isActive } = endpoint;
  const open = (action: EndpointAction) => () => onOpen(action, endpoint);
  const actions: MenuAction[] = [
    { id: 'edit', name: strings.edit, icon: 'pencil', run: open('edit') },
    { id: 'curl', name: page.curl.copyAction, icon: 'developers', run: open('curl') },
    { id: 'rotate', name: strings.rotate, icon: 'key', run: open('rotate') },
    ...(isActive
      ? ([
          { id: 'redeliver', name: strings.redeliver, icon: 'refresh', run: open('redeliver') },
          { id: 'pause', name: strings.pause, icon: 'pause', run: open('pause') },
        ] as const)
      : []),
    { id: 'delete', name: strings.delete, icon: 'trash', isDangerous: true, run: open('delete') },
  ];
  return (
    <Menu
      trigger={<IconButton icon="dots" label={strings.menu(url)} size="small" />}
      label={strings.menu(url)}
      actions={actions}
    />
  );
}
