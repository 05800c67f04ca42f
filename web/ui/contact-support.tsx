interface ContactSupportProps {
  messages: { contactSupport: string; contactSupportAt: string }
  /** An address of a page, or of an email as mailto:; null if none is configured. */
  supportUrl: string | null
}

export function ContactSupport({ messages, supportUrl }: ContactSupportProps) {
  if (supportUrl === null) return messages.contactSupport
  return (
    <>
      {messages.contactSupportAt}{' '}
      <a href={supportUrl} target="_blank" rel="noopener">
        {supportUrl.replace(/^(mailto:|https?:\/\/)/, '')}
      </a>
    </>
  )
}
