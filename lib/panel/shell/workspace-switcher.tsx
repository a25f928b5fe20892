import { useRouter } from '@tanstack/react-router';
import { Button } from 'react-aria-components/Button';
import { workspaceChoice } from '../api/workspace-choice.ts';
import { Icon } from '../components/icon.tsx';
import { Menu } from '../components/menu.tsx';
import { VisuallyHidden } from '../components/visually-hidden.tsx';
import { words } from '../words/words.ts';
import { shortId, useMe, useWorkspace, type Workspace } from '../workspace.tsx';
import classes from './person.module.css';

/** The workspace that the tab shows, with a menu if the person has several. */
export function WorkspaceSwitcher() {
  const { workspaces } = useMe();
  const workspace = useWorkspace();
  const choose = useChooseWorkspace();
  if (workspaces.length < 2)
    return (
      <p className={classes.chip}>
        <Names workspace={workspace} />
      </p>
    );
  const trigger = (
    <Button className={classes.chip}>
      <VisuallyHidden>{words.shared.workspaces.label}: </VisuallyHidden>
      <Names workspace={workspace} isOneOfSeveral />
      <Icon name="chevronsUpDown" />
    </Button>
  );
  return (
    <Menu
      trigger={trigger}
      placement="bottom start"
      label={words.shared.workspaces.switchTo}
      sections={[
        {
          title: words.shared.workspaces.switchTo,
          chosen: workspace.id,
          actions: workspaces.map(({ id, name, role, isSuspended }) => ({
            id,
            name,
            note: words.shared.workspaces.roleAndId(
              isSuspended ? words.shared.workspaces.suspended : words.shared.workspaces.roles[role],
              shortId(id),
            ),
            run: () => choose(id),
          })),
        },
      ]}
    />
  );
}

interface NamesProps {
  workspace: Workspace;
  isOneOfSeveral?: boolean;
}

function Names({ workspace: { id, name, role }, isOneOfSeveral = false }: NamesProps) {
  const { roles, roleAndId } = words.shared.workspaces;
  return (
    <>
      <span className={classes.letter} aria-hidden="true">
        {initial(name)}
      </span>
      <span className={classes.names}>
        <span className={classes.name}>{name}</span>
        <span className={classes.minor}>
          {isOneOfSeveral ? roleAndId(roles[role], shortId(id)) : roles[role]}
        </span>
      </span>
    </>
  );
}

const initial = (name: string): string => [...name.trim()][0]?.toUpperCase() ?? '·';

/** Shows another workspace in this tab, on the same page. What the page showed of a single thing does not exist there. */
export function useChooseWorkspace(): (id: string) => void {
  const router = useRouter();
  return (id) => {
    const [, page = ''] = router.state.location.pathname.split('/');
    workspaceChoice.choose(id);
    void router.navigate({ href: `/${page}` });
  };
}
