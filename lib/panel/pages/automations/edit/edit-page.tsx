import { Page } from '../../../components/page.tsx';
import { useWorkspace } from '../../../workspace.tsx';

export function EditAutomationPage() {
  const { name } = useWorkspace();
  return (
    <Page title="Edit automation" of={name}>
      {null}
    </Page>
  );
}
