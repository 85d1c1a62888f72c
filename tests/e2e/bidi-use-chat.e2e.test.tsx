import { bidiClient } from '../support/chat-clients.ts';
import { describeUseChatChanges } from '../support/use-chat-changes-suite.tsx';
import { describeUseChatPlayed } from '../support/use-chat-played-suite.tsx';
import { describeUseChatResume } from '../support/use-chat-resume-suite.tsx';
import { describeUseChat } from '../support/use-chat-suite.tsx';

describeUseChat(bidiClient);
describeUseChatChanges(bidiClient);
describeUseChatPlayed(bidiClient);
describeUseChatResume(bidiClient);
