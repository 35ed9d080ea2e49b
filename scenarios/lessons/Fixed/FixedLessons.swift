public import Lessons

/// The programs, with the repair of each lesson.
public let fixedLessons: [LessonPlay] = [
  L01.play(PhotoView.self),
  L03.play(PicturePage.self),
  L04.play(PictureStore.self),
  L05.play(ReloadButton.self),
  L06.play(DetailView.self),
  L07.play(TitledPage.self),
  L08.play(PhotoRow.self),
  L10.play(NewsBoard.self),
  L12.play(AlbumPage.self),
  L13.play(Download.self),
  L15.play(TimedLoader.self),
  L16.play(Gallery.self),
  L17.play(AlbumPrinter.self),
  L18.play(ThumbnailCache.self),
  L19.play(SearchField.self),
  L21.play(Notebook.self),
  L22.play(PatientLoader.self),
  L25.play(GroupGallery.self),
]
