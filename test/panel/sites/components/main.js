import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
/** A page with the panel's components, for their tests: a form that issues a key, and a long table. */
import '../../../../lib/panel/styles/tokens.css';
import '../../../../lib/panel/styles/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { createRoot } from 'react-dom/client';
import { useSend } from '../../../../lib/panel/api/hooks.ts';
import { newQueryClient } from '../../../../lib/panel/api/query-client.ts';
import { session } from '../../../../lib/panel/api/session.ts';
import { workspaceChoice } from '../../../../lib/panel/api/workspace-choice.ts';
import { Button } from '../../../../lib/panel/components/button.tsx';
import { Checkbox, CheckboxGroup } from '../../../../lib/panel/components/checkbox.tsx';
import { CodeBlock } from '../../../../lib/panel/components/code-block.tsx';
import { ComboBox } from '../../../../lib/panel/components/combo-box.tsx';
import { ConfirmDialog } from '../../../../lib/panel/components/confirm-dialog.tsx';
import { CopyField } from '../../../../lib/panel/components/copy-field.tsx';
import { Dialog, DialogActions, DialogBody } from '../../../../lib/panel/components/dialog.tsx';
import { EmptyState } from '../../../../lib/panel/components/empty-state.tsx';
import { ErrorState } from '../../../../lib/panel/components/error-state.tsx';
import { Form } from '../../../../lib/panel/components/form.tsx';
import { IconButton } from '../../../../lib/panel/components/icon-button.tsx';
import { Menu } from '../../../../lib/panel/components/menu.tsx';
import { Notice } from '../../../../lib/panel/components/notice.tsx';
import { Radio, RadioGroup } from '../../../../lib/panel/components/radio-group.tsx';
import { SearchField } from '../../../../lib/panel/components/search-field.tsx';
import { Section } from '../../../../lib/panel/components/section.tsx';
import { Select } from '../../../../lib/panel/components/select.tsx';
import { Status } from '../../../../lib/panel/components/status.tsx';
import { Switch } from '../../../../lib/panel/components/switch.tsx';
import { Table } from '../../../../lib/panel/components/table.tsx';
import { TextArea } from '../../../../lib/panel/components/text-area.tsx';
import { TextField } from '../../../../lib/panel/components/text-field.tsx';
import { Time } from '../../../../lib/panel/components/time.tsx';
import { ToastRegion } from '../../../../lib/panel/components/toast.tsx';
import { toast } from '../../../../lib/panel/components/toast-list.ts';
import { Tooltip } from '../../../../lib/panel/components/tooltip.tsx';
import { SessionDialog } from '../../../../lib/panel/shell/session-dialog.tsx';
import { PlaceProvider } from '../../../../lib/panel/workspace.tsx';
const rowCount = Number(new URLSearchParams(location.search).get('rows') ?? 3);
const rows = Array.from({ length: rowCount }, (_, number) => ({ id: String(number), name: `Key ${number}` }));
const zones = ['Europe/Berlin', 'Europe/London', 'Asia/Tokyo'].map((id) => ({ id, name: id }));
function KeyForm({ onDone }) {
    const [name, setName] = useState('');
    const create = useSend('POST', '/panel/keys', ['/panel/keys']);
    const submit = () => create.mutate({ body: { name } }, { onSuccess: ({ apiKey }) => onDone(apiKey) });
    return (_jsxs(Form, { onSubmit: submit, error: create.error, errorTitle: "The key was not created", children: [_jsx(TextField, { name: "name", label: "Name", value: name, onChange: setName, help: "What uses it." }), _jsxs(CheckboxGroup, { name: "accountIds", label: "Accounts", children: [_jsx(Checkbox, { value: "a", children: "Instagram" }), _jsx(Checkbox, { value: "b", children: "LinkedIn" })] }), _jsx(Button, { type: "submit", variant: "primary", isPending: create.isPending, children: "Create key" })] }));
}
function Gallery() {
    const [isAsking, setAsking] = useState(false);
    const [isOpen, setOpen] = useState(false);
    const [key, setKey] = useState();
    return (_jsxs("main", { children: [_jsx("h1", { children: "Components" }), _jsx(Section, { title: "Keys", isCard: true, actions: _jsx(Button, { onPress: () => setOpen(true), children: "New key" }), children: _jsx(Table, { label: "Keys", rows: rows, idOf: ({ id }) => id, columns: [
                        { id: 'name', title: 'Name', isRowHeader: true, cell: ({ name: text }) => text },
                        { id: 'state', title: 'State', cell: () => _jsx(Status, { tone: "good", children: "Active" }) },
                        { id: 'created', title: 'Created', cell: () => _jsx(Time, { at: "2026-03-02T23:30:00Z" }) },
                        {
                            id: 'actions',
                            title: 'Actions',
                            isTitleHidden: true,
                            width: '2.5rem',
                            cell: ({ id, name: text }) => (_jsx(Menu, { label: `Actions for ${text}`, trigger: _jsx(IconButton, { icon: "dots", label: `Actions for ${text}` }), actions: [
                                    { id: `revoke-${id}`, name: 'Revoke key', isDangerous: true, run: () => setAsking(true) },
                                ] })),
                        },
                    ] }) }), _jsxs(Section, { title: "Fields", isCard: true, children: [_jsx(TextArea, { label: "Text" }), _jsx(Select, { label: "Time zone", choices: zones }), _jsx(ComboBox, { label: "Other time zone", choices: zones }), _jsxs(RadioGroup, { label: "Role", defaultValue: "member", children: [_jsx(Radio, { value: "member", children: "Member" }), _jsx(Radio, { value: "owner", note: "Also keys", children: "Owner" })] }), _jsx(Switch, { children: "Active" }), _jsx(SearchField, { label: "Search keys" }), _jsx(CopyField, { label: "Your new key", value: key ?? 'none', copyLabel: "Copy key", help: "It is shown once." }), _jsx(CodeBlock, { label: "curl", code: "curl https://api.test/v1/accounts", copyLabel: "Copy command" }), _jsx(Tooltip, { text: "Refresh", children: _jsx(IconButton, { icon: "refresh", label: "Refresh" }) }), _jsx(Button, { onPress: () => toast({ text: 'Moved', action: { label: 'Undo', run: () => setKey('undone') } }), children: "Move" })] }), _jsx(Notice, { tone: "warn", title: "Access ends soon", children: "Connect the account again." }), _jsx(EmptyState, { icon: "key", title: "No keys yet" }), _jsx(ErrorState, { error: new Error('it broke'), onRetry: () => setKey('tried') }), _jsxs(Dialog, { title: "New key", isOpen: isOpen, onClose: () => setOpen(false), children: [_jsx(DialogBody, { children: _jsx(KeyForm, { onDone: (apiKey) => {
                                setKey(apiKey);
                                setOpen(false);
                            } }) }), _jsx(DialogActions, { children: _jsx(Button, { onPress: () => setOpen(false), children: "Cancel" }) })] }), _jsx(ConfirmDialog, { title: "Revoke the key?", action: "Revoke", isOpen: isAsking, isPending: false, error: null, onConfirm: () => {
                    setKey('revoked');
                    setAsking(false);
                }, onClose: () => setAsking(false), children: _jsx("p", { children: "Programs that use it stop working." }) })] }));
}
const me = (await (await fetch('/api/panel/me')).json());
const [workspace] = me.workspaces;
const place = document.getElementById('panel');
if (place && workspace) {
    session.begin(me);
    workspaceChoice.choose(workspace.id);
    createRoot(place).render(_jsx(I18nProvider, { locale: "en-GB", children: _jsx(QueryClientProvider, { client: newQueryClient(), children: _jsxs(PlaceProvider, { value: { me, workspace }, children: [_jsx(Gallery, {}), _jsx(ToastRegion, {}), _jsx(SessionDialog, {})] }) }) }));
}
