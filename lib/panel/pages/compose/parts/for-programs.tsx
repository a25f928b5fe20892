import { memo } from 'react';
import { loadable, useLoaded } from '../../../components/loaded.ts';
import textClasses from '../../../components/texts.module.css';
import { words } from '../../../words/words.ts';
import { useComposing } from './context.ts';
import classes from './for-programs.module.css';

const texts = words.composer.forPrograms;
const fields = loadable(() => import('./program-fields.tsx'));

/** What only programs read or decide. It is closed, because most people never need it. */
export const ForPrograms = memo(function ForPrograms() {
  const { draft } = useComposing();
  const { onQuota, externalId = '', metadata = [] } = draft;
  const pairs = metadata.filter(({ name, value }) => name !== '' || value !== '');
  const set = Number(onQuota !== undefined) + Number(externalId !== '') + pairs.length;
  const loaded = useLoaded(fields);
  return (
    <details className={classes['details']}>
      <summary>
        {texts.title}
        {set > 0 && <span className={textClasses['minor']}> · {texts.set(set)}</span>}
      </summary>
      {loaded && <loaded.ProgramFields />}
    </details>
  );
});
