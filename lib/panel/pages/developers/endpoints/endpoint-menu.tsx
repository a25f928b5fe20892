import { IconButton } from '../../../components/icon-button.tsx';
import { Menu } from '../../../components/menu.tsx';
import type { MenuAction } from '../../../components/menu-action.ts';
import { words } from '../../../words/words.ts';
import type { Endpoint } from './endpoint.ts';

/** What opens a dialog about an endpoint. */
export type EndpointAction = 'edit' | 'pause' | 'rotate' | 'redeliver' | 'curl' | 'delete';

export interface EndpointMenuProps {
  endpoint: Endpoint;
  onOpen: (action: EndpointAction, endpoint: Endpoint) => void;
}

export function EndpointMenu({ endpoint, onOpen }: EndpointMenuProps) {
  const { url, isActive } = endpoint;
  const open = (action: EndpointAction) => () => onOpen(action, endpoint);
  const actions: MenuAction[] = [
    { id: 'edit', name: words.endpointsTab.edit, icon: 'pencil', run: open('edit') },
    { id: 'curl', name: words.developersPage.curl.copyAction, icon: 'developers', run: open('curl') },
    { id: 'rotate', name: words.endpointsTab.rotate, icon: 'key', run: open('rotate') },
    ...(isActive
      ? ([
          { id: 'redeliver', name: words.endpointsTab.redeliver, icon: 'refresh', run: open('redeliver') },
          { id: 'pause', name: words.endpointsTab.pause, icon: 'pause', run: open('pause') },
        ] as const)
      : []),
    { id: 'delete', name: words.endpointsTab.delete, icon: 'trash', isDangerous: true, run: open('delete') },
  ];
  return (
    <Menu
      trigger={<IconButton icon="dots" label={words.endpointsTab.menu(url)} size="small" />}
      label={words.endpointsTab.menu(url)}
      actions={actions}
    />
  );
}
