import { jsx as _jsx } from "react/jsx-runtime";
import { useSearch } from '@tanstack/react-router';
import { Notice } from '../../components/notice.tsx';
import { Greeting } from '../../shell/greeting.tsx';
import { strings } from '../../strings.ts';
/** After signing out, and after a sign-in that failed. */
export function SignedOutPage() {
    const { error } = useSearch({ from: '/signed-out' });
    const { title, lead, signedOutTitle, signedOutLead, problems, otherProblem } = strings.greeting;
    if (error === undefined)
        return _jsx(Greeting, { title: signedOutTitle, lead: signedOutLead, returnTo: "/" });
    return (_jsx(Greeting, { title: title, lead: lead, returnTo: "/", children: _jsx(Notice, { tone: "bad", isLive: true, children: problems[error] ?? otherProblem(error) }) }));
}
