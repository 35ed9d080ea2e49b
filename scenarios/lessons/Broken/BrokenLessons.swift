public import Lessons

/// The programs that contain each lesson's bug.
public let brokenLessons: [LessonPlay] = [
  L01.play(PhotoView.self),
  L02.play(FavoriteList.self),
  L03.play(PicturePage.self),
  L04.play(PictureStore.self),
  L05.play(ReloadButton.self),
  L06.play(DetailView.self),
  L07.play(TitledPage.self),
  L08.play(PhotoRow.self),
  L09.play(Bulletin.self),
  L10.play(NewsBoard.self),
  L11.play(Announcer.self),
  L12.play(AlbumPage.self),
  L13.play(Download.self),
  L14.play(PictureReceiver.self),
  L15.play(TimedLoader.self),
  L16.play(Gallery.self),
  L17.play(AlbumPrinter.self),
  L18.play(ThumbnailCache.self),
  L19.play(SearchField.self),
  L20.play(PictureFrame.self),
  L21.play(Notebook.self),
  L22.play(PatientLoader.self),
  L23.play(TaskLoader.self),
  L24.play(CallbackLoader.self),
  L25.play(GroupGallery.self),
  L26.play(Importer.self),
  L27.play(PhotoModel.self),
  L28.play(ImageStore.self),
  L29.play(Session.self),
  L30.play(AlbumDownload.self),
  L31.play(ListLoader.self),
  X2.play(LoadTest.self),
  X3.play(Traffic.self),
]

// The files of these lessons are plain Swift, without an import of the stage.
extension ThumbnailCache: L18.Program {}
extension SearchField: L19.Program {}
extension PictureFrame: L20.Program {}
extension Notebook: L21.Program {}
extension PatientLoader: L22.Program {}
extension TaskLoader: L23.Program {}
extension GroupGallery: L25.Program {}
extension PhotoModel: L27.Program {}
extension ImageStore: L28.Program {}
extension Session: L29.Program {}
extension AlbumDownload: L30.Program {}
extension ListLoader: L31.Program {}
