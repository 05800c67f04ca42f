import { useEffect } from 'preact/hooks'
import type { ComponentChildren } from 'preact'
import { DownloadIcon } from '../../ui/icons.tsx'
import type { DownloadPath } from '../calls.ts'
import { usePage, type SectionProps } from '../page-context.ts'
import { AlertsPart } from './alerts.tsx'
import { AutomaticPart } from './automatic.tsx'
import { CardsPart } from './cards.tsx'
import { DeletePart } from './delete.tsx'
import { EmailPart } from './email.tsx'
import { EmailsPart } from './emails.tsx'
import { LanguagePart, ThemePart } from './display.tsx'
import { LogInsPart } from './log-ins.tsx'
import { NamePart } from './name.tsx'
import { PasskeysPart } from './passkeys.tsx'
import { PasswordPart } from './password.tsx'
import { useCards } from './use-cards.ts'
import * as base from '../../ui/base.module.css'
import * as button from '../../ui/button.module.css'
import * as parts from '../parts.module.css'
import * as styles from './settings.module.css'

export function Profile({ account, reload, onDeleted }: SectionProps & { onDeleted: () => void }) {
  const { messages, data } = usePage()
  const { profile } = messages
  const shared = { account, reload }
  useEffect(() => void reload(), [])
  return (
    <div class={parts.section}>
      <h1 class={parts.sectionTitle} tabIndex={-1}>
        {profile.title}
      </h1>
      <Setting title={profile.name} hint={profile.nameHint}>
        <NamePart {...shared} />
      </Setting>
      <Setting title={profile.email} hint={profile.emailHint}>
        <EmailPart {...shared} />
      </Setting>
      <Setting title={profile.password} hint={profile.passwordHint}>
        <PasswordPart {...shared} />
      </Setting>
      {(data.passkeyHost === location.hostname || account.passkeys.length > 0) && (
        <Setting title={messages.passkeys.title} hint={messages.passkeys.hint}>
          <PasskeysPart {...shared} />
        </Setting>
      )}
      {data.hasTopup && <CardSettings email={account.email} />}
      <Setting title={profile.logIns} hint={profile.logInsHint}>
        <LogInsPart {...shared} />
      </Setting>
      <Setting title={messages.display.language} hint={messages.display.languageHint}>
        <LanguagePart {...shared} />
      </Setting>
      <Setting title={messages.display.theme} hint={messages.display.themeHint}>
        <ThemePart />
      </Setting>
      {data.hasMailer && (
        <Setting title={profile.emails} hint={profile.emailsHint}>
          {data.hasTopup && <EmailsPart {...shared} />}
          <AlertsPart {...shared} />
        </Setting>
      )}
      <Setting title={profile.data} hint={profile.dataHint}>
        <p>
          <a
            class={button.textButton}
            href={'/api/account/data.json' satisfies DownloadPath}
            download
          >
            <DownloadIcon />
            {profile.dataDownload}
          </a>
        </p>
      </Setting>
      <Setting title={profile.delete} hint={profile.deleteHint}>
        <DeletePart account={account} onDeleted={onDeleted} />
      </Setting>
    </div>
  )
}

function CardSettings({ email }: { email: string }) {
  const { messages } = usePage()
  const cards = useCards()
  return (
    <>
      <Setting title={messages.cards.title} hint={messages.cards.hint}>
        <CardsPart {...cards} />
      </Setting>
      <Setting title={messages.cards.autoTitle} hint={messages.cards.autoHint}>
        <AutomaticPart {...cards} email={email} />
      </Setting>
    </>
  )
}

interface SettingProps {
  title: string
  hint: string
  children: ComponentChildren
}

function Setting({ title, hint, children }: SettingProps) {
  return (
    <section class={styles.setting}>
      <div class={styles.settingHead}>
        <h2>{title}</h2>
        <p class={base.muted}>{hint}</p>
      </div>
      <div class={styles.settingBody}>{children}</div>
    </section>
  )
}
