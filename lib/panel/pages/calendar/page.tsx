import { Page } from '../../components/page.tsx';
import { useWorkspace } from '../../workspace.tsx';

export function CalendarPage() {
  const { name } = useWorkspace();
  return (
    <Page title="Calendar" of={name}>
      {null}
    </Page>
  );
}
