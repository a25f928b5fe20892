import { useState } from 'react';
import type { findMentionsOperation } from '../../../../accounts/operations.ts';
import { useGet } from '../../../api/hooks.ts';
import { Button } from '../../../components/button.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Muted, Row, Stack } from '../../../components/layout.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { words } from '../../../words/words.ts';

const texts = words.options.linkedin.mention;

interface MentionFinderProps {
  accountId: string;
  /** Adds a mention to the text of the account. */
  onFound: (mention: string) => void;
}

/** Finds people and organizations to mention. LinkedIn is asked only when the person says so, because its calls are counted. */
export function MentionFinder({ accountId, onFound }: MentionFinderProps) {
  const [typed, setTyped] = useState('');
  const [query, setQuery] = useState('');
  const { data, error, isFetching } = useGet<typeof findMentionsOperation>(
    '/v1/accounts/{id}/mentions',
    { path: { id: accountId }, query: { query } },
    { refetchEveryMs: false, isEnabled: query !== '' },
  );
  const ask = () => setQuery(typed.trim());
  return (
    <Stack gap={2}>
      <TextField
        label={texts.label}
        help={texts.help}
        value={typed}
        onChange={setTyped}
        onKeyDown={(event) => event.key === 'Enter' && ask()}
        isOptional
      />
      <Row>
        <Button
          size="small"
          icon="search"
          isDisabled={typed.trim() === ''}
          isPending={isFetching}
          onPress={ask}
        >
          {texts.find}
        </Button>
      </Row>
      {error && !data && <ErrorNotice error={error} />}
      <div role="status">
        {data?.mentions.length === 0 && <Muted>{texts.nobody}</Muted>}
        {data?.mentions.map(({ text, name, description }) => (
          <Button key={text} size="small" icon="plus" onPress={() => onFound(text)}>
            {texts.add(name, description)}
          </Button>
        ))}
      </div>
    </Stack>
  );
}
