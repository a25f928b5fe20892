import { Link } from '../../../components/link.tsx';
import { Notice } from '../../../components/notice.tsx';
import { words } from '../../../words/words.ts';

const texts = words.automationsPage.form.choosePost;

/** A post has at most one automation. */
export const HasAutomation = ({ id }: { id: string }) => (
  <Notice
    tone="warn"
    title={texts.hasTitle}
    isLive
    actions={
      <Link to="/automations/$id/edit" params={{ id }}>
        {texts.hasAction}
      </Link>
    }
  >
    {texts.hasText}
  </Notice>
);
